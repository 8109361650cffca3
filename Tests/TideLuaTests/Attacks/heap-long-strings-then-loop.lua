-- Long strings fill the memory, and then nothing ends.
-- expect: time or memory
local t = {}
pcall(function() for i = 1, math.maxinteger do t[i] = ("x"):rep(100000) .. i end end)
while true do pcall(string.rep, "x", 1 << 20) end
