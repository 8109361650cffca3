-- The same with a handler that calls again.
-- expect: time or given up or depth
local function f() while true do xpcall(f, function() pcall(f) end) end end
f()
