-- Two hundred thousand frames, and then an endless loop.
-- expect: time or given up or depth or error "stack overflow"
local function nest(n)
  if n == 0 then while true do end end
  nest(n - 1)
  return n
end
nest(190000)
