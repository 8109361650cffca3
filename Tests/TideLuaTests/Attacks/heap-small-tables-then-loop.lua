-- Very many small tables fill the memory, and then nothing ends.
-- expect: time or memory
local t
pcall(function() while true do t = { t } end end)
while true do local x = {} end
