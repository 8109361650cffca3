-- Arguments are spread over a stack that the collector makes smaller at that moment.
-- expect: fine
local function deep(n) if n > 0 then return 1 + deep(n - 1) end return 0 end
local function spread(...)
  local t = { ... }
  deep(300)
  collectgarbage()
  local a, b, c = ...
  return select("#", ...), #t, (select(-1, ...))
end
local function between(...)
  collectgarbage("step", 1000)
  return spread(...)
end
for n = 1, 250, 3 do
  local values = {}
  for i = 1, n do values[i] = "v" .. i end
  for _, call in ipairs { spread, between, coroutine.wrap(spread), coroutine.wrap(between) } do
    local count, length, last = call(table.unpack(values))
    assert(count == n and length == n and last == "v" .. n)
  end
end
