-- The closing value of a for loop never ends, and its body neither.
-- expect: time or given up
local value = setmetatable({}, { __close = function() while true do end end })
for _ in function() return 1 end, nil, nil, value do while true do end end
