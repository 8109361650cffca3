-- A table that claims to be very long, of long texts.
-- expect: memory or error "too large"
local s = ("x"):rep(1 << 20)
table.concat(setmetatable({}, { __len = function() return 1 << 40 end, __index = function() return s end }))
