-- One large table fills the memory, and then nothing ends.
-- expect: time or memory
local t = {}
pcall(function() for i = 1, math.maxinteger do t[i] = i end end)
while true do local x = {} end
