-- Long keys that are alike for most of their length and no UTF-8, brought into order again and again.
-- expect: fine or time
local d, start = dict {}, ("\xff"):rep(20000)
for i = 1, 150 do d[start .. i] = i end
local count = 0
for _ = 1, 3 do for _ in pairs(d) do count = count + 1 end end
assert(count == 450)
