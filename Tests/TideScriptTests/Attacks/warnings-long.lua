-- A warning of many pieces, which are one long text.
-- expect: error "a warning of"
local s, t = ("x"):rep(4000000), {}
for i = 1, 200 do t[i] = s end
warn(table.unpack(t))
