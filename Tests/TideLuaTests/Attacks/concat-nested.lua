-- Joining operands joins operands.
-- expect: depth or error "C stack overflow" or error "stack overflow"
local t
t = setmetatable({}, { __concat = function(a, b) return t .. b end })
local s = t .. "b"
