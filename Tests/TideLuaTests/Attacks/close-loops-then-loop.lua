-- An endless loop, and a variable whose closing never ends.
-- expect: time or given up
local closing <close> = setmetatable({}, { __close = function() while true do end end })
while true do end
