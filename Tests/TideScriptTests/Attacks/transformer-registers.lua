-- A transformer that registers itself anew while it runs.
-- expect: fine
local function again(v)
  transformer("again", again)
  return v
end
transformer("again", again)
local a, b = object { n = 1 }, object { n = 0 }
bind("n -> n | again", a, b)
a.n = 2
assert(b.n == 2)
