-- Long tables sorted for ever.
-- expect: time
local t = {}
for i = 1, 50000 do t[i] = (i * 7919) % 100003 end
while true do
  local copy = table.move(t, 1, #t, 1, {})
  table.sort(copy)
  table.sort(copy, function(a, b) return a > b end)
end
