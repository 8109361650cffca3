-- Effects that write what the other one reads.
-- expect: error "" or time
local a, b = object { n = 0 }, object { n = 0 }
effect(function() b.n = a.n + 1 end)
effect(function() a.n = b.n + 1 end)
