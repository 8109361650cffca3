-- A table of replacements that calls gsub in its __index.
-- expect: time
local t = setmetatable({}, { __index = function(_, k) while true do end end })
return ("x"):gsub(".", t)
