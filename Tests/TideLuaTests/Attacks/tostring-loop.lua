-- Texts of everything, for ever.
-- expect: time
while true do tostring({}) tostring(print) tostring(1.5) tostring(setmetatable({}, { __name = ("x"):rep(10000) })) end
