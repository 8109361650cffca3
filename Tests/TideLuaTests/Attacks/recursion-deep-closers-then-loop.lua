-- Very many frames that hold variables to be closed, and then an endless loop.
-- expect: time or given up or depth or memory or error "stack overflow"
local closing = setmetatable({}, { __close = function() local t = {} end })
local function nest(n)
  local c <close> = closing
  if n == 0 then while true do end end
  nest(n - 1)
  return n
end
nest(150000)
