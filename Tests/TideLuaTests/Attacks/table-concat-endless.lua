-- A table that claims to be very long, of empty texts.
-- expect: time
table.concat(setmetatable({}, { __len = function() return 1 << 40 end, __index = function() return "" end }))
