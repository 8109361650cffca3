-- A metatable that is its own __newindex is given another one at every step of a collection.
-- expect: fine or time
local ballast = {}
for i = 1, 60000 do ballast[i] = { i } end
local tables, metatables = {}, {}
for i = 1, 500 do
  local M = {}
  M.__newindex = M
  tables[i], metatables[i] = setmetatable({}, M), M
end
for round = 1, 300 do
  collectgarbage("step")
  for i = round % 7 + 1, #tables, 7 do
    rawset(metatables[i], "__newindex", metatables[i])
    tables[i].__newindex = { round = round }
  end
  for _, M in ipairs(metatables) do
    local held = M.__newindex
    assert(held == M or held.round <= round)
  end
end
