-- An error whose __tostring raises itself.
-- expect: error ""
local e = setmetatable({}, {})
getmetatable(e).__tostring = function() error(e) end
error(e)
