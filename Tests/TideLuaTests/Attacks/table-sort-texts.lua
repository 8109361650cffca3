-- Long texts that are equal but for their ends, sorted.
-- expect: time or memory or fine
local t = {}
for i = 1, 12 do t[i] = ("x"):rep(1 << 20) .. i end
for i = 1, 1000 do table.sort(t, function(a, b) return a > b end) table.sort(t) end
