-- A view that is put into itself, and trees that never end.
-- expect: fine
local a, b = view.column {}, view.column {}
a:add(b)
assert(not pcall(function() b:add(a) end))
assert(not pcall(function() a:add(a) end))
