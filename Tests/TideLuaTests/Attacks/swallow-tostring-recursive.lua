-- __tostring that asks for texts again and swallows what comes of it.
-- expect: time or given up or depth
local meta = {}
local t = setmetatable({}, meta)
meta.__tostring = function() while true do pcall(tostring, t) pcall(print, t) end end
tostring(t)
