-- Raises a table of very many entries again and again, of which each error tells the first ones.
-- expect: error "{ 1, 2, 3"
local large = {}
for index = 1, 200000 do large[index] = index end
for _, name in ipairs { "a", "b", "c", "d", "e", "f", "g", "h" } do large[name] = true end
for _ = 1, 100 do
  effect(function() error(large) end)
end
assert(#errors() > 0 and #errors()[1].message < 1000)
