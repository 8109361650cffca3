-- Contexts begun in callbacks that fail, and finished in others.
-- expect: error "boom" or fine
local o = object { n = 0 }
observe(o, "n", function() context.begin("x") error("boom") end)
observe(o, "n", function() pcall(context.finish) end)
for i = 1, 10 do o.n = i end
assert(not pcall(context.finish))
