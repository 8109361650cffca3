-- An error whose __tostring loops when the host asks for its text.
-- expect: time or error ""
error(setmetatable({}, { __tostring = function() while true do end end }))
