-- JSON that nests too deep, or never ends.
-- expect: fine
for _, text in ipairs { ("["):rep(1000000), ('{"a":'):rep(1000000), ("[1,"):rep(100000), '"' .. ("\\u"):rep(1000),
  ("9"):rep(1000000), "1e" .. ("9"):rep(1000000), "[" .. (" "):rep(1000000), '{"a":1,"a":2}', "\xff", "" } do
  assert(not pcall(json.decode, text))
end
local t = {}
t.t = t
assert(not pcall(json.encode, t))
for _, value in ipairs { print, 0 / 0, math.huge, coroutine.create(print), "\xff", { 1, nil, 3, a = 1 } } do
  assert(not pcall(json.encode, value))
end
