-- The smallest edit between two long lists in opposite order, again and again.
-- expect: time or memory
local a, b = {}, {}
for i = 1, 20000 do a[i], b[i] = i, 20001 - i end
local l = list(a)
while true do
  l:set(b)
  l:set(a)
end
