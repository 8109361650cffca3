-- Long names of types.
-- expect: memory or error "too large" or time
local t = setmetatable({}, { __name = ("x"):rep(8 << 20) })
while true do string.format("%s%s", t, t) end
