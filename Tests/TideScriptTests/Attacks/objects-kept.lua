-- Objects made and kept for ever.
-- expect: time or memory or error ""
local keep = {}
while true do keep[#keep + 1] = object { a = 1, b = "x" .. #keep } end
