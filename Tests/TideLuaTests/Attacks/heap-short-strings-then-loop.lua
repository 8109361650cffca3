-- Very many short strings fill the memory, and then nothing ends.
-- expect: time or memory
local t = {}
pcall(function() for i = 1, math.maxinteger do t[i] = "s" .. i end end)
while true do local x = "a" .. math.random(1 << 40) end
