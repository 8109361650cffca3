-- The same with coroutines that give errors back as values.
-- expect: time or given up or depth or memory
local function f() while true do coroutine.resume(coroutine.create(f)) end end
f()
