-- An observer of all properties that writes one.
-- expect: error "" or time
local o = object { n = 0, m = 0 }
observe(o, function(name) o.m = o.m + 1 o.n = o.n + 1 end)
o.n = 1
