-- Keys that fit side by side in a table, and all collide in one twice as large. Nothing stops the
-- interpreter where it makes a table larger, so it is given up.
-- expect: given up
local t = {}
for i = 1, (1 << 17) + 1 do t[i * ((1 << 18) - 1)] = true end
while true do end
