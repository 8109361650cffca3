-- __metatable, and metatables that are changed while they are used.
-- expect: fine
local t = setmetatable({}, { __metatable = "locked" })
assert(getmetatable(t) == "locked" and not pcall(setmetatable, t, {}))
local meta = {}
local u = setmetatable({}, meta)
meta.__index = function() setmetatable(u, nil) collectgarbage() return 5 end
assert(u.x == 5 and getmetatable(u) == nil)
local v = setmetatable({}, meta)
meta.__newindex = function(t, k, value) meta.__newindex = nil rawset(t, k, value) end
v.x = 1
assert(v.x == 1)
meta.__eq = function() meta.__eq = nil return true end
assert(setmetatable({}, meta) == setmetatable({}, meta))
meta.__gc = nil
meta.__mode = {}
collectgarbage()
meta.__mode = "kvkvkvkvxyz"
collectgarbage()
