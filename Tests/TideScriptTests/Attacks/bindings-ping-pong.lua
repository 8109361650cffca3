-- Bindings in a ring, each of which adds one.
-- expect: error ""
transformer("plus", function(n) return n + 1 end)
local a, b = object { n = 0 }, object { n = 0 }
bind("n -> n | plus", a, b)
bind("n -> n | plus", b, a)
a.n = 1
