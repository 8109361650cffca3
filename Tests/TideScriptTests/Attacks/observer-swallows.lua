-- An observer that swallows every error and goes on.
-- expect: error "" or time
local o = object { n = 0 }
observe(o, "n", function(new) while true do pcall(function() o.n = o.n + 1 end) end end)
o.n = 1
