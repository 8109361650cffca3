-- A coroutine whose stack overflowed, and is closed and resumed after that.
-- expect: fine
local co = coroutine.create(function()
  local t <close> = setmetatable({}, { __close = function() end })
  local function deep() return deep() + 1 end
  deep()
end)
local ok, message = coroutine.resume(co)
assert(not ok)
assert(tostring(message):find("stack overflow") or tostring(message):find("not enough memory"))
assert(not coroutine.close(co))
assert(not coroutine.resume(co))
