-- Many operands, each of which is joined by a metamethod.
-- expect: time
local t = setmetatable({}, { __concat = function(a, b) return b end })
while true do local s = t .. t .. t .. t .. t .. t .. t .. t end
