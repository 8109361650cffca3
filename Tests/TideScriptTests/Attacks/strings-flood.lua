-- Long texts put into properties for ever.
-- expect: time or memory
local o = object { s = "" }
local i = 0
while true do i = i + 1 o.s = ("x"):rep(100000) .. i end
