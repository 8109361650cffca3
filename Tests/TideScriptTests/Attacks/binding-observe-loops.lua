-- The option observe, whose function writes the target.
-- expect: error "" or time
local a, b = object { n = 0 }, object { n = 0 }
bind("n <> n", a, b, { observe = function(o, v) b.n = b.n + 1 end })
a.n = 1
