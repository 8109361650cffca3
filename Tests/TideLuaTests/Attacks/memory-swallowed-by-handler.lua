-- A message handler eats memory once memory is out.
-- expect: time
local keep = {}
local function eat() while true do keep[#keep + 1] = { keep } end end
while true do xpcall(eat, eat) end
