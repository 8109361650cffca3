-- The library's functions on lists, with hostile arguments.
-- expect: fine
local l = list { 3, 1, 2 }
table.sort(l)
assert(l[1] == 1 and l[3] == 3)
table.insert(l, 1, 0)
table.remove(l, 1)
pcall(table.insert, l, 100, 1)
pcall(table.remove, l, 100)
pcall(table.move, l, 1, 1000000, 2)
pcall(table.concat, l, ",", 1, 100)
pcall(table.sort, l, function() l:clear() return true end)
table.unpack(l)
