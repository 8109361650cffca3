-- Closing a coroutine runs what loops.
-- expect: time
local co = coroutine.create(function()
  local t <close> = setmetatable({}, { __close = function() while true do end end })
  coroutine.yield()
end)
coroutine.resume(co)
coroutine.close(co)
