-- Long lines, printed for ever, as fast as the machine takes them.
-- expect: time or memory or error "printed within a second"
local s = ("x"):rep(1 << 20)
while true do print(s, s, s, s) end
