-- Closing a coroutine whose closing yields.
-- expect: fine
local co = coroutine.wrap(function()
  local t <close> = setmetatable({}, { __close = function() coroutine.yield("closing") end })
  return "done"
end)
assert(co() == "closing")
assert(co() == "done")
local other = coroutine.create(function()
  local t <close> = setmetatable({}, { __close = function() coroutine.yield("closing") end })
  coroutine.yield()
end)
coroutine.resume(other)
local ok, message = coroutine.close(other)
assert(not ok and message:find("yield"))
