-- Shifts by the least and the largest integer, and by all around the width.
-- expect: fine
local least = math.mininteger
assert(1 << least == 0 and 1 >> least == 0 and least >> least == 0 and least << least == 0)
assert(1 << math.maxinteger == 0 and 1 >> math.maxinteger == 0)
for n = -70, 70 do
  local wanted = (n > -64 and n < 64) and (n >= 0 and (1 << n) or (1 >> -n)) or 0
  assert(1 << n == wanted and 1 >> -n == wanted)
end
assert(load("return 1 >> " .. "(-9223372036854775807 - 1)")() == 0)
