-- Levels that are none.
-- expect: fine
for _, level in ipairs { -1, 0, 1, 2, 100, 1000000, math.maxinteger, math.mininteger, 2147483648 } do
  assert(not pcall(error, "x", level))
end
