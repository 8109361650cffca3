-- A move that fills memory.
-- expect: memory or time
table.move(setmetatable({}, { __index = function(_, i) return i end }), 1, 1 << 40, 1, {})
