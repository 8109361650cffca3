-- The table behind all texts cannot be reached or changed.
-- expect: fine
assert(getmetatable("") == false)
assert(not pcall(setmetatable, "", {}))
assert(not pcall(function() string.rep = print end))
assert(not pcall(rawset, string, "rep", print))
assert(not pcall(function() ("").x = 1 end))
assert(not pcall(table.insert, string, 1))
for name in pairs(string) do
  local f = string[name]
  assert(not pcall(function() string[name] = nil end))
  assert(string[name] == f)
end
