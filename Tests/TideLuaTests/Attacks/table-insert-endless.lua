-- An insertion at the front of a table that claims to be very long.
-- expect: time
table.insert(setmetatable({}, { __len = function() return 1 << 40 end }), 1, 2)
