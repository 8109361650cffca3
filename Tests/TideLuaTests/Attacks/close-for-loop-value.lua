-- The fourth value of a generic for is closed, and loops.
-- expect: time
for _ in next, { 1 }, nil, setmetatable({}, { __close = function() while true do end end }) do end
