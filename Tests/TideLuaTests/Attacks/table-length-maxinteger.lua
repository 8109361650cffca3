-- The greatest length there is.
-- expect: fine
local t = setmetatable({}, { __len = function() return math.maxinteger end })
assert(not pcall(table.unpack, t))
assert(not pcall(table.sort, t))
pcall(table.insert, t, 1)
pcall(table.remove, t)
