-- Values whose __tostring prints them.
-- expect: depth or error "C stack overflow" or error "stack overflow"
local t = setmetatable({}, {})
getmetatable(t).__tostring = function() print(t) return "" end
print(t)
