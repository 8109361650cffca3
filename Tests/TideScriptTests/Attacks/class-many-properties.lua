-- An object with very many properties.
-- expect: fine or error "" or memory or time
local fields = {}
for i = 1, 20000 do fields["p" .. i] = i end
local o = object(fields)
assert(o.p20000 == 20000)
