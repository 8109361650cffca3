-- Long texts that are equal but for their ends, compared for ever.
-- expect: time
local a, b = ("x"):rep(4 << 20) .. "a", ("x"):rep(4 << 20) .. "b"
while true do local c = a < b, a == b, a <= b end
