-- A table whose texts vanish while they are joined.
-- expect: fine
local t = setmetatable({}, { __len = function() return 100 end })
for i = 1, 100 do t[i] = "x" end
getmetatable(t).__index = function(_, i) return "y" end
t[50] = nil
assert(#table.concat(t) == 100)
local u = setmetatable({}, { __len = function() return 3 end, __index = function() return {} end })
assert(not pcall(table.concat, u))
assert(not pcall(table.concat, {}, "", 1, 5))
assert(not pcall(table.concat, {}, "", math.maxinteger - 1, math.maxinteger))
