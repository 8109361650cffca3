-- A closer yields while its function returns several values.
-- expect: fine
local function returning(...)
  local values = table.pack(...)
  return function()
    local k <close> = setmetatable({}, { __close = function() coroutine.yield "closing" end })
    return table.unpack(values, 1, values.n)
  end
end
for n = 0, 100 do
  local values = {}
  for i = 1, n do values[i] = i end
  local co = coroutine.wrap(returning(table.unpack(values, 1, n)))
  assert(co() == "closing")
  local got = table.pack(co())
  assert(got.n == n)
  for i = 1, n do assert(got[i] == i) end
end
local co = coroutine.wrap(function() return pcall(returning(1, nil, 3)) end)
assert(co() == "closing")
local ok, a, b, c = co()
assert(ok and a == 1 and b == nil and c == 3)
