-- An error whose __tostring asks for its text.
-- expect: error ""
local e = setmetatable({}, {})
getmetatable(e).__tostring = function() return tostring(e) .. "x" end
error(e)
