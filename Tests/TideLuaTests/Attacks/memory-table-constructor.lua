-- A constructor that unpacks into itself.
-- expect: memory or error "too many results"
local t = {}
for i = 1, 200000 do t[i] = i end
local all = {}
while true do all[#all + 1] = { table.unpack(t) } end
