-- A validator that writes what it validates.
-- expect: depth or error "" or time
local o
o = object { n = property { default = 0, validate = function(self, v) self.n = v + 1 return v end } }
o.n = 1
