-- Comparisons whose metamethods loop.
-- expect: time
local meta = { __lt = function() while true do end end }
local a, b = setmetatable({}, meta), setmetatable({}, meta)
while true do pcall(function() return a < b end) end
