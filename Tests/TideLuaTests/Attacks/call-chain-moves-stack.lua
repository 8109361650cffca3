-- A table is called through others, each of which makes the stack grow by one place when there is none left.
-- expect: fine or depth
local function chain(n)
  local f = function(...) return select("#", ...) end
  for i = 1, n do f = setmetatable({}, { __call = f }) end
  return f
end
local calls = { chain(1), chain(2), chain(14), chain(15), chain(16), chain(40) }
local function deep(n)
  if n == 0 then return 0 end
  local f = calls[n % #calls + 1]
  pcall(f, f, f, f)
  return 1 + deep(n - 1)
end
for n = 1, 190 do deep(n) end
for size = 0, 300 do
  coroutine.wrap(function(...)
    local f = calls[size % #calls + 1]
    local t = table.pack(pcall(f, table.unpack({}, 1, size)))
    assert(t[1])
  end)()
end
