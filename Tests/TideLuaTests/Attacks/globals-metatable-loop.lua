-- A table of globals whose metamethods loop; the next turn fares no better.
-- expect: time
-- leaves: no globals
setmetatable(_G, { __index = function() while true do end end })
return missing
