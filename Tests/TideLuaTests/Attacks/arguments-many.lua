-- A function with as many arguments as the stack holds.
-- expect: fine
local n = 200000
local t = {}
for i = 1, n do t[i] = i end
assert(select("#", table.unpack(t)) == n)
assert(math.max(table.unpack(t)) == n)
assert(#table.pack(table.unpack(t)) == n)
assert(#{ table.unpack(t) } == n)
assert(#string.char(table.unpack(table.move({ 65, 65, 65 }, 1, 3, 1)))== 3)
assert(select("#", coroutine.wrap(function(...) return ... end)(table.unpack(t))) == n)
assert(select("#", pcall(function(...) return ... end, table.unpack(t))) == n + 1)
pcall(string.format, "x", table.unpack(t))
pcall(print, table.unpack(t, 1, 100))
pcall(math.max, table.unpack(t))
