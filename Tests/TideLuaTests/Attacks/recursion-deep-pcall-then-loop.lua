-- As many nested protected calls as there may be, and then an endless loop, again and again.
-- expect: time or given up or depth
local function nest(n)
  local ok, message = pcall(nest, n + 1)
  while true do end
end
while true do pcall(nest, 0) end
