-- Errors that are no text.
-- expect: fine
for _, value in ipairs { 1, 1.5, true, {}, print, coroutine.create(print) } do
  local ok, caught = pcall(error, value)
  assert(not ok and caught == value)
end
local ok, caught = pcall(error)
assert(not ok and caught == nil)
