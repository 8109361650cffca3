-- The API's tables and metatables cannot be changed.
-- expect: fine
assert(not pcall(function() tidelock.bind = nil end))
assert(not pcall(rawset, tidelock, "bind", nil))
assert(not pcall(rawset, log, "info", nil))
assert(not pcall(setmetatable, tidelock, nil))
assert(not pcall(setmetatable, models, nil))
assert(not pcall(setmetatable, context, nil))
local o = object { n = 0 }
assert(not getmetatable(o))
assert(not pcall(setmetatable, o, {}))
assert(not pcall(rawset, o, "n", 1))
assert(not pcall(rawget, o, "n"))
pcall(function() models.x = 1 end)
