-- The same with coroutines.
-- expect: time or given up or depth or memory
local function f() while true do pcall(coroutine.wrap(f)) end end
f()
