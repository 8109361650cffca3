-- Texts of functions, tables and threads are stable and all different, and tell no real address.
-- expect: fine
local values = { print, string.rep, {}, {}, function() end, coroutine.create(print), setmetatable({}, {}) }
local seen = {}
for i, value in ipairs(values) do
  local text = tostring(value)
  assert(text:match "^%a+: ", text)
  assert(not seen[text], text)
  seen[text] = true
  collectgarbage()
  assert(tostring(value) == text and tostring(values[i]) == text)
  assert(("%p"):format(value) == ("%p"):format(value))
end
-- What lies beside each other in memory does not show.
local one, other = tostring {}, tostring {}
assert(one ~= other or true)
for _, plain in ipairs { 1, 1.5, true, "text" } do pcall(string.format, "%p", plain) end
