-- Observers that cancel themselves and each other amid a delivery.
-- expect: fine
local o = object { n = 0 }
local seen, handles = 0, {}
for i = 1, 100 do
  handles[i] = observe(o, "n", function()
    seen = seen + 1
    handles[i]:cancel()
    handles[101 - i]:cancel()
    handles[i]:cancel()
  end)
end
o.n = 1
o.n = 2
assert(seen <= 100 and seen >= 50, seen)
