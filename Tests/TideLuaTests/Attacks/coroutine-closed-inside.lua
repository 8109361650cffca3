-- A coroutine that another one closes while it waits.
-- expect: fine
local inner = coroutine.create(function()
  local t <close> = setmetatable({}, { __close = function() error("closed") end })
  coroutine.yield()
end)
coroutine.resume(inner)
local ok, message = coroutine.wrap(function() return coroutine.close(inner) end)()
assert(ok == false and message:find("closed"))
assert(coroutine.status(inner) == "dead")
assert(not coroutine.resume(inner))
