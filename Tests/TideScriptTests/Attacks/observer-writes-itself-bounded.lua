-- The same, but it comes to rest.
-- expect: fine
local o = object { n = 0 }
observe(o, "n", function(new) if new < 50 then o.n = new + 1 end end)
o.n = 1
assert(o.n == 50, o.n)
