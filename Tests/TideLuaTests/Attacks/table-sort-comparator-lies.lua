-- Comparators that contradict themselves.
-- expect: fine
for _, less in ipairs {
  function() return true end, function() return false end,
  function() return math.random() < 0.5 end, function(a, b) return a <= b end,
  function(a, b) return a ~= b end,
} do
  for n = 0, 100 do
    local t = {}
    for i = 1, n do t[i] = (i * 7919) % 101 end
    pcall(table.sort, t, less)
    assert(#t == n)
  end
end
