-- Functions without an environment, or with a hostile one.
-- expect: fine
local f = load("local _ENV = nil return x")
assert(not pcall(f))
local g = load("local _ENV <const> = setmetatable({}, {__index = function(_, k) return k end}) return x")
local ok, message = pcall(g)
local h = load("local _ENV = { x = 1 } function y() return x end return y()")
assert(h() == 1)
