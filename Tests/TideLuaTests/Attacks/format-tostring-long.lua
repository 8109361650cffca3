-- Arguments that are short but whose __tostring is long.
-- expect: memory or error "too large" or time
local long = ("x"):rep(4 << 20)
local t = setmetatable({}, { __tostring = function() return long end })
while true do string.format(("%s"):rep(8), t, t, t, t, t, t, t, t) end
