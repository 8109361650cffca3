-- Runs the assertion cases under a plain Lua 5.4.
--
--   lua5.4 Tests/TideTestTests/Assertions/run.lua            the modules of this package
--   lua5.4 Tests/TideTestTests/Assertions/run.lua --system   a luassert that is installed
--
-- `Shared` has what specs may rely on with either; `Own` has what is done better here, and is
-- left out with `--system`. A case is a chunk and what becomes of it:
--
--   case [[assert.is_true(false, "why")]] :fails [[why…]]
--   case [[assert.is_true(false)]] :fails(not_same("(boolean) false", "(boolean) true"))
--   case [[return assert.truthy(1)]] :gives [[1]]
--
-- `cases.lua` has the words for messages. Each case has modules of its own, so none sees what another registered.

local here = arg[0]:match "^(.*)/" or "."
local sources = here .. "/../../../Sources/CTideTest/Lua/"

local system = false
local files = {}
for _, argument in ipairs(arg) do
  if argument == "--system" then
    system = true
  else
    files[#files + 1] = argument
  end
end
if not system then
  package.path = sources .. "?.lua;" .. sources .. "?/init.lua;" .. package.path
end

local outcome = dofile(here .. "/outcome.lua")
local words = dofile(here .. "/cases.lua")

if #files == 0 then
  for _, folder in ipairs(system and { "Shared" } or { "Shared", "Own" }) do
    for name in io.popen(("ls '%s/%s'"):format(here, folder)):lines() do
      files[#files + 1] = ("%s/%s/%s"):format(here, folder, name)
    end
  end
end

local passed, failed = 0, 0

local function check(file, source, verdict, expected)
  local got_verdict, got = outcome(source)
  if got_verdict == verdict and got == expected then
    passed = passed + 1
    return
  end
  failed = failed + 1
  local line = debug.getinfo(4, "l").currentline
  io.write(("%s:%d: %s\n"):format(file, line, source))
  io.write(("  expected it %s:\n%s\n  but it %s:\n%s\n\n"):format(verdict, expected, got_verdict, got))
end

for _, file in ipairs(files) do
  local environment = words(function(...)
    check(file, ...)
  end)
  assert(loadfile(file, "t", environment))()
end

print(("%d cases passed, %d failed"):format(passed, failed))
os.exit(failed == 0 and passed > 0)
