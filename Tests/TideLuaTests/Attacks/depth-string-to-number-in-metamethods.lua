-- Arithmetic on texts goes through the metamethods of strings.
-- expect: fine
assert("10" + 5 == 15 and 10 .. "" == "10")
assert(not pcall(function() return "x" + 1 end))
assert(not pcall(function() return ("x") < 1 end))
local t = setmetatable({}, { __add = function(a, b) return "added" end })
assert("10" + t == "added")
