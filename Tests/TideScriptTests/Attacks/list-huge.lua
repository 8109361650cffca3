-- A list that grows for ever.
-- expect: time or memory or error ""
local l = list {}
while true do l:append(1, 2, 3, 4, 5, 6, 7, 8) end
