-- A class that inherits from very many.
-- expect: fine or error "" or time or memory
local C = class "C0" { n = 0 }
for i = 1, 500 do C = class("C" .. i, C) { ["p" .. i] = i } end
local o = C {}
assert(o.p1 == 1 and o.p500 == 500)
