-- A reference that stands for its own value, and a long chain of references, are written.
-- expect: fine
local o = object { a = property {}, value = 1 }
local itself = ref(o, "a.value")
o.a = itself
local ok, why = pcall(function() itself.value = 3 end)
assert(not ok and tostring(why):find("leads back"), why)
local last = object { value = 1 }
for _ = 1, 30000 do last = ref(last, "value") end
print(pcall(function() last.value = 2 end))
