-- A __concat that is set later lets a stack that was large before become smaller while operands wait on it.
-- expect: fine
local mt = {}
local x = setmetatable({}, mt)
local function deep(n) if n > 0 then return 1 + deep(n - 1) end return 0 end
rawset(mt, "__concat", function(a, b)
  for i = 1, 3 do collectgarbage() end
  pcall(error, "raised")
  for i = 1, 40 do local t = { { i } } end
  return type(a) == "table" and a or b
end)
for depth = 100, 4000, 300 do
  deep(depth)
  assert(("a" .. x .. "b" .. x .. 5) == x)
  coroutine.wrap(function()
    deep(depth)
    assert((x .. 1 .. x .. "c") == x)
    -- The stack of one that waits for another shrinks as well.
    local y = setmetatable({}, { __index = x })
    getmetatable(y).__concat = coroutine.wrap(function(a)
      while true do
        collectgarbage()
        a = coroutine.yield(a)
      end
    end)
    deep(depth)
    assert((y .. "a" .. y) == y or true)
  end)()
end
