-- A context that is cleared by what it owns.
-- expect: fine
local a, b = object { n = 0 }, object { n = 0 }
context("mine", function()
  for i = 1, 10 do observe(a, "n", function() context.clear("mine") end) end
  effect(function() local n = a.n context.clear("mine") end)
  bind("n -> n", a, b)
end)
a.n = 1
a.n = 2
