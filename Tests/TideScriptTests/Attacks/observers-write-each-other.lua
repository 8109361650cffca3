-- Two observers that write each other's property, for ever.
-- expect: error "" or time
local a, b = object { n = 0 }, object { n = 0 }
observe(a, "n", function(new) b.n = new + 1 end)
observe(b, "n", function(new) a.n = new + 1 end)
a.n = 1
