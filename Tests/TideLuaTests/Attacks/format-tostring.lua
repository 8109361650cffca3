-- Arguments whose __tostring loops, is long, or gives no text.
-- expect: time
assert(not pcall(string.format, "%s", setmetatable({}, { __tostring = function() return {} end })))
string.format("%s", setmetatable({}, { __tostring = function() while true do end end }))
