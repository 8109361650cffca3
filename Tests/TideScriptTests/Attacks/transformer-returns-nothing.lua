-- Transformers that return nothing, or what does not fit.
-- expect: error "" or fine
local a = object { n = 1 }
transformer("nothing", function() end)
transformer("table", function() return {} end)
transformer("self", function() return a end)
transformer("many", function() return 1, 2, 3 end)
transformer("wrong", function() return print end)
for _, name in ipairs { "nothing", "table", "self", "many", "wrong" } do
  bind("n -> n | " .. name, a, object { n = 0 })
end
a.n = 2
