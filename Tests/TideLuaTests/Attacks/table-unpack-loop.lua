-- Elements whose __index loops.
-- expect: time
return table.unpack(setmetatable({}, { __index = function() while true do end end }), 1, 100)
