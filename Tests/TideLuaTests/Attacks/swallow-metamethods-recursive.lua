-- The same within metamethods.
-- expect: time or given up or depth
local meta = {}
local t = setmetatable({}, meta)
local function f() while true do pcall(function() return t.x, t + t, t .. t, #t, -t, t == {}, t() end) end end
for _, name in ipairs { "__index", "__add", "__concat", "__len", "__unm", "__eq", "__call" } do meta[name] = f end
f()
