-- A context that is cleared, disabled and made again while it is open.
-- expect: fine
local o = object { n = 0 }
context("x", function()
  observe(o, "n", function() end)
  context.clear("x")
  observe(o, "n", function() end)
  context.disable("x")
  context("x", function() observe(o, "n", function() end) end)
  context.enable("x")
end)
o.n = 1
context.clear("x")
pcall(context.clear, "never made")
