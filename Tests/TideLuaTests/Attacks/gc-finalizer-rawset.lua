-- A finalizer that is smuggled in by rawset or a proxy.
-- expect: fine
local meta = setmetatable({}, { __index = { __gc = function() error("ran") end } })
setmetatable({}, meta)
local other = {}
rawset(other, "__gc", true)
assert(not pcall(setmetatable, {}, other))
rawset(other, "__gc", nil)
local t = setmetatable({}, other)
rawset(other, "__gc", function() error("ran") end)
assert(not pcall(setmetatable, t, other))
t = nil
collectgarbage()
