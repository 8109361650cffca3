-- A flood of short texts, none of them kept.
-- expect: time
local i = 0
while true do i = i + 1 local s = "k" .. i end
