-- A hundred thousand bytes on the stack, for ever.
-- expect: time
local s = ("x"):rep(100000)
while true do string.char(s:byte(1, -1)) end
