-- Ten thousand variables to be closed, each of which loops.
-- expect: time
local function nest(n)
  local t <close> = setmetatable({}, { __close = function() while true do end end })
  if n > 0 then nest(n - 1) else while true do end end
end
nest(10000)
