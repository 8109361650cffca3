-- Very many keys, which are put in order.
-- expect: time or memory
local t = {}
for i = 1, 50000 do t[("key"):rep(20) .. i] = i end
while true do json.encode(t, { sort = true, indent = 16 }) end
