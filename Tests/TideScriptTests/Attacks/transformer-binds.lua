-- A transformer that makes a binding each time, of the same two ends.
-- expect: error "" or depth or time or fine
local a, b = object { n = 1 }, object { n = 0 }
local count = 0
transformer("bind", function(v)
  count = count + 1
  if count < 1000 then bind("n -> n | bind", a, b) end
  return v
end)
bind("n -> n | bind", a, b)
a.n = 2
