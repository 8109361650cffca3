-- A table that claims to be very long.
-- expect: time or memory
table.sort(setmetatable({}, { __len = function() return 1 << 30 end, __index = function(_, i) return -i end }))
