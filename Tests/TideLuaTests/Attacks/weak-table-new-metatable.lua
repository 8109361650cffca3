-- An all-weak table gets another metatable at every step of a collection, and uses it after the next ones.
-- expect: fine or time
local ballast = {}
for i = 1, 60000 do ballast[i] = { i } end
local tables, index = {}, {}
for i = 1, 500 do tables[i] = setmetatable({}, { __mode = "kv" }) end
for round = 1, 300 do
  collectgarbage("step")
  for i = round % 7 + 1, #tables, 7 do
    setmetatable(tables[i], { __mode = "kv", __index = { x = round } })
    index[i] = round
  end
  for i, wanted in pairs(index) do
    local metatable = getmetatable(tables[i])
    assert(metatable.__mode == "kv")
    local held = rawget(metatable, "__index")
    assert(tables[i].x == wanted and held.x == wanted)
  end
end
