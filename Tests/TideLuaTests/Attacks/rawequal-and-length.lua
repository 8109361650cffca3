-- Raw functions on everything.
-- expect: fine
for _, value in ipairs { 1, "x", true, print, coroutine.create(print) } do
  pcall(rawlen, value)
  pcall(rawget, value, 1)
  pcall(rawset, value, 1, 1)
  assert(rawequal(value, value))
end
assert(not pcall(rawlen, print))
assert(not pcall(rawget, "x", 1))
