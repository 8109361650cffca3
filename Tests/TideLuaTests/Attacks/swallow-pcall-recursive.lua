-- Every level of a deep recursion swallows the error of the next one, for ever.
-- expect: time or given up or depth
local function f() while true do pcall(f) end end
f()
