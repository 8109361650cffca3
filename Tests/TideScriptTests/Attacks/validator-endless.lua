-- A validator that never ends.
-- expect: time
local o = object { n = property { default = 0, validate = function() while true do end end } }
o.n = 1
