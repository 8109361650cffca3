-- Batches in observers of what is changed in batches.
-- expect: error "" or time
local o = object { n = 0 }
observe(o, "n", function() batch(function() o.n = o.n + 1 batch(function() o.n = o.n + 1 end) end) end)
batch(function() o.n = 1 end)
