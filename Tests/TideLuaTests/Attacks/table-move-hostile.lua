-- A move between tables whose metamethods change both.
-- expect: fine
local log = 0
local source = setmetatable({}, { __index = function(t, i) log = log + 1 return i end })
local target = setmetatable({}, { __newindex = function(t, i, v) log = log + 1 rawset(t, i, v) source[i] = i end })
table.move(source, 1, 100, 1, target)
assert(#target == 100)
table.move(target, 1, 100, 50)
assert(not pcall(table.move, {}, 1, math.maxinteger, 2))
assert(not pcall(table.move, {}, math.mininteger, math.maxinteger, 2))
assert(not pcall(table.move, {}, -1, math.maxinteger, 2))
assert(not pcall(table.move, {}, 1, 2, math.maxinteger))
