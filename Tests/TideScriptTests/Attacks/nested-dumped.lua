-- Readable text of what nests very deep, or holds itself.
-- expect: fine
local x = list {}
for _ = 1, 5000 do x = list { x } end
assert(#dump(x) < 10000)
local d = dict {}
for _ = 1, 5000 do d = dict { a = d } end
assert(#dump(d) < 10000)
local l = list {}
l:append(l)
assert(dump(l):find("cycle"))
assert(#tostring(x) < 100)
