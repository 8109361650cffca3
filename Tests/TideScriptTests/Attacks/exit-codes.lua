-- Codes that are none.
-- expect: fine
for _, code in ipairs { -1, 256, math.maxinteger, 1.5, "x", {}, true } do
  assert(not pcall(exit, code))
end
