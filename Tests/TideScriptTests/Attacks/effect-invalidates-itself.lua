-- An effect that writes what it reads.
-- expect: error "" or time
local o = object { n = 0 }
effect(function() o.n = o.n + 1 end)
