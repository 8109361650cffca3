-- The clock of tests: `clock`, and the words of `os` that tell the time, which move with it.
--
--   local before = os.time()
--   clock.advance(3600)
--   assert.equal(before + 3600, os.time())

local host, settings = ...
local error, floor, next, rawset = error, math.floor, next, rawset
local setmetatable, tostring, type = setmetatable, tostring, type
local G = _G
local clock = {}

--- Moves the clock on; what is due runs in its order.
function clock.advance(seconds)
  if type(seconds) ~= 'number' or seconds ~= seconds or seconds < 0 or seconds == math.huge then
    error('clock.advance takes a number of seconds, 0 or more', 2)
  end
  host.advance(seconds)
end

--- Seconds since the runtime of the file began.
clock.now = host.now

-- Time goes on by itself for `os`, too: a spec that turns until `os.clock` has moved comes to an end.
local os = G.os
if os then
  local time, date, processor_time = os.time, os.date, os.clock
  -- That of the sandbox takes no words of others, so that one stands in front of it.
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
