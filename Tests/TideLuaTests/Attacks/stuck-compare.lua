-- Long texts of zero bytes, which are compared from zero to zero.
-- expect: given up or time
local a, b = ("\0"):rep(8 << 20) .. "a", ("\0"):rep(8 << 20) .. "b"
while true do local c = a < b end
