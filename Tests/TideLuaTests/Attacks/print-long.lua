-- Long lines, printed for ever.
-- expect: time or memory
local s = ("x"):rep(1 << 20)
while true do print(s, s, s, s) end
