-- A text that is joined to an error that cannot be joined.
-- expect: fine
local t = setmetatable({}, { __concat = function() error("concat") end })
assert(not pcall(function() return "x" .. t end))
assert(not pcall(coroutine.wrap(function() error(t) end)))
assert(not pcall(coroutine.wrap(function() error() end)))
