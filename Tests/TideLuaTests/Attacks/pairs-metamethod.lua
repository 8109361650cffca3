-- Iterators that __pairs gives.
-- expect: fine
assert(not pcall(function() for _ in pairs(setmetatable({}, { __pairs = 5 })) do end end))
for _ in pairs(setmetatable({}, { __pairs = function() return function() end end })) do end
assert(not pcall(function() for _ in pairs(setmetatable({}, { __pairs = function() end })) do end end))
local n = 0
for k, v in ipairs(setmetatable({}, { __index = function(_, i) if i <= 10 then return i end end })) do n = n + 1 end
assert(n == 10)
