-- A metatable becomes its own __newindex when it is in use and the collector has passed by it; what it is then given is
-- taken back at every step.
-- expect: fine or time
local ballast = {}
for i = 1, 30000 do ballast[i] = { i } end
local tables, metatables = {}, {}
for i = 1, 300 do
  local M = { __index = ballast, __newindex = false }
  metatables[i] = M
  tables[i] = setmetatable({}, M)
end
local kinds = {
  function(i) return { i, { i } } end,
  function(i) return "text" .. i end,
  function(i) return function() return i end end,
  function(i) return coroutine.create(function() return i end) end,
  function(i) return ("long"):rep(20) .. i end,
}
local kept, empty = {}, ""
for round = 1, 400 do
  local make = kinds[round % #kinds + 1]
  for i = round % 5 + 1, #tables, 5 do
    local M, t = metatables[i], tables[i]
    local value = make(i)
    M.__newindex = M
    t.__newindex, value = value, nil
    -- No memory is asked for from here to the end of the step.
    if round % 3 == 0 then local s = empty .. i end
    if round % 7 == 0 then kept[i], M.__newindex = M.__newindex, false end
  end
  if round % 2 == 0 then collectgarbage("step") else for i = 1, 200 do local t = { i } end end
  for i = 1, #tables do
    local value = kept[i] or metatables[i].__newindex
    local kind = type(value)
    if kind == "table" then assert(value == metatables[i] or value[1] == value[2][1])
    elseif kind == "string" then assert(#value < 100)
    elseif kind == "function" then assert(value() <= 300)
    elseif kind == "thread" then assert(coroutine.status(value) == "suspended") end
  end
  if round % 11 == 0 then
    kept = {}
    -- Other tables with the same metatable, and new metatables in the middle of a cycle.
    for i = 1, #tables, 9 do
      metatables[i] = { __newindex = 0 }
      tables[i] = setmetatable({}, metatables[i])
    end
  end
end
