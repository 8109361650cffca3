-- An observer that writes the property it observes, for ever.
-- expect: error "" or time
local o = object { n = 0 }
observe(o, "n", function(new) o.n = new + 1 end)
o.n = 1
