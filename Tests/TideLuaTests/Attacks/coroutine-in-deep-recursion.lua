-- Coroutines that recur deeply begin within deep recursions, so that the calls of both count.
-- expect: fine or depth or memory or time
local function stack(n, innermost)
  if n > 0 then return stack(n - 1, innermost) + 1 end
  return innermost() or 0
end
for _, limit in ipairs { 10, 100, 180, 190, 195, 200, 1000 } do
  local function begin()
    return coroutine.wrap(function() return stack(limit, begin) end)()
  end
  local ok, message = xpcall(stack, function(m) return m end, limit, begin)
  assert(not ok)
  local function alternate(n)
    if n == 0 then return 0 end
    return select(2, pcall(coroutine.wrap(function() return stack(limit, function() return alternate(n - 1) end) end)))
  end
  pcall(alternate, 150)
end
