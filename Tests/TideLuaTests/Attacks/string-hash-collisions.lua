-- Long texts that differ where a lazy hash might not look.
-- expect: time or fine
local t = {}
for i = 1, 100000 do t[("x"):rep(20) .. ("%08d"):format(i) .. ("x"):rep(20)] = i end
for i = 1, 100000 do assert(t[("x"):rep(20) .. ("%08d"):format(i) .. ("x"):rep(20)] == i) end
