-- A failed coroutine of wrap is closed, and its closing loops.
-- expect: time
local co = coroutine.wrap(function()
  local t <close> = setmetatable({}, { __close = function() while true do end end })
  error("x")
end)
pcall(co)
