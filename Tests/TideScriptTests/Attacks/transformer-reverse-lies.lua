-- A two-way binding whose directions never agree.
-- expect: error "" or fine or time
local a, b = object { n = 1 }, object { n = 0 }
bind("n <> n", a, b, { transform = {
  transform = function(v) return v + 1 end, reverse = function(v) return v + 1 end } })
for i = 1, 100 do a.n = i b.n = -i end
