-- Whole collections with much to look at, in a loop.
-- expect: time
local t = {}
for i = 1, 100000 do t[i] = { i } end
while true do collectgarbage() collectgarbage("collect") collectgarbage("step", 1 << 30) end
