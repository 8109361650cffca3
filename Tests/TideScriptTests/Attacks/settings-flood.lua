-- Settings with very many keys, and with what holds itself.
-- expect: error "not kept" or time or memory
local c = controller.settings { name = "flood", initialValues = {} }
batch(function() for i = 1, 20000 do c.values["key" .. i] = i end end)
assert(c.values.key20000 == 20000)
local l = list {}
l:append(l)
c.values.itself = l
assert(c:save() == false)
