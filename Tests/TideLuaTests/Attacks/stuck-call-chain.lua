-- A table that is called through itself; Lua follows the chain without looking at anything.
-- expect: given up
local t = {}
setmetatable(t, { __call = t })
t()
