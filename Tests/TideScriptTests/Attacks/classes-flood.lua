-- Classes made for ever.
-- expect: time or memory or error ""
local i = 0
while true do i = i + 1 class("C" .. i) { ["p" .. i] = i } end
