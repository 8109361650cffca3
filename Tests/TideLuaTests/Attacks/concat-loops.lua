-- A function that joins operands never ends.
-- expect: time
local t = setmetatable({}, { __concat = function() while true do end end })
local s = "a" .. t .. "b"
