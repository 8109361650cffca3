-- A transformer that changes the model it reads.
-- expect: error "" or time or fine
local a, b = object { n = 1 }, object { n = 0 }
transformer("meddle", function(v) a.n = a.n + 1 return v end)
bind("n -> n | meddle", a, b)
a.n = 5
