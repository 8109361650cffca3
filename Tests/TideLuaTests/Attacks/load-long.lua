-- Sources as long as load takes, compiled for ever.
-- expect: time
local s = ("x = 1 "):rep(170000)
while true do load(s) end
