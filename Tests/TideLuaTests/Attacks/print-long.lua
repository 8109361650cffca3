-- Prints long lines without end.
-- expect: time or memory or error "printed within a second"
local s = ("x"):rep(1 << 20)
while true do print(s, s, s, s) end
