-- A date whose fields never come.
-- expect: time
os.time(setmetatable({}, { __index = function() while true do end end }))
