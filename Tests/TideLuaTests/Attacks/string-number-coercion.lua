-- Long numerals, turned into numbers by arithmetic.
-- expect: time
local s = ("1"):rep(190)
while true do local n = s + 1 .. "" end
