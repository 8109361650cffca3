-- Closures over the variables of a deep recursion.
-- expect: memory or depth
local keep = {}
local function deep(n)
  local a, b, c = n, n, n
  keep[#keep + 1] = function() return a, b, c end
  return deep(n + 1) + 1
end
deep(1)
