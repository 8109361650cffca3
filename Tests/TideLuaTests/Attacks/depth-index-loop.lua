-- Tables that lead to each other through __index and __newindex.
-- expect: fine
local a, b = {}, {}
setmetatable(a, { __index = b, __newindex = b })
setmetatable(b, { __index = a, __newindex = a })
assert(not pcall(function() return a.x end))
assert(not pcall(function() a.x = 1 end))
local c = setmetatable({}, {})
getmetatable(c).__index = c
assert(not pcall(function() return c.x end))
