-- The clock of tests: `clock`, and the time functions of `os`, which follow it.
--
--   local before = os.time()
--   clock.advance(3600)
--   assert.equal(before + 3600, os.time())

local host, settings = ...
local error, floor, next, rawset = error, math.floor, next, rawset
local setmetatable, tostring, type = setmetatable, tostring, type
local G = _G
local clock = {}

--- Advances the clock, and runs timers in the order of their deadlines.
function clock.advance(seconds)
  if type(seconds) ~= 'number' or seconds ~= seconds or seconds < 0 or seconds == math.huge then
    error('clock.advance takes a number of seconds, 0 or more', 2)
  end
  host.advance(seconds)
end

--- Seconds since the file's runtime started.
clock.now = host.now

-- Real time is added for `os`, so that a spec that loops until `os.clock` advances terminates.
local os = G.os
if os then
  local time, date, processor_time = os.time, os.date, os.clock
  -- The sandbox's `os` is sealed, so a table in front of it holds the replaced functions.
  if settings.isSandboxed then
    os = setmetatable({}, { __index = os, __newindex = os })
    G.os = os
  end
  local words = {}
  local function present() return time() + floor(host.now()) end

  function words.time(...)
    if (...) == nil then return present() end
    return time(...)
  end

  function words.date(format, moment)
    return date(format or '%c', moment or present())
  end

  function words.clock() return processor_time() + host.now() end

  for name, word in next, words do
    rawset(os, name, word)
  end
end

return setmetatable(clock, {
  __index = function(_, name)
    error(('clock has no word "%s"; it has advance and now'):format(tostring(name)), 2)
  end,
})
