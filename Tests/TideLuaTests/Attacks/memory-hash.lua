-- A hash part that grows for ever.
-- expect: memory
local t, i = {}, 0.5
while true do t[i] = true i = i + 1 end
