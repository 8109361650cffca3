-- An ipairs without an end.
-- expect: time
for _ in ipairs(setmetatable({}, { __index = function() return true end })) do end
