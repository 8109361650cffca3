-- A metatable becomes weak, or its __newindex a table, when it is in use; and memory runs out while keys are put in.
-- expect: fine or memory or time
local hold = {}
pcall(function() for i = 1, 1e7 do hold[i] = ("x"):rep(1000) .. i end end)
for i = #hold - 40, #hold do hold[i] = nil end
local function fill(t)
  pcall(function() for i = 1, 4096 do t[i] = i t["k" .. i] = t end end)
  pcall(function() for i = 1, 4096 do table.insert(t, i) end end)
end
local ways = {
  function(t, mt) setmetatable(mt, { __mode = "v" }) mt.__newindex = {} end,
  function(t, mt) local weak = {} setmetatable(mt, weak) rawset(mt, "__newindex", {}) weak.__mode = "kv" end,
  function(t, mt) mt.__mode = "v" setmetatable(mt, mt) mt.__newindex = {} end,
  function(t, mt) mt.__newindex = setmetatable({}, setmetatable({ __newindex = {} }, { __mode = "v" })) end,
  function(t, mt) mt.__newindex = setmetatable({}, mt) setmetatable(mt, { __mode = "v" }) end,
}
for round = 1, 20 do
  for _, way in ipairs(ways) do
    local mt = {}
    local t = setmetatable({}, mt)
    way(t, mt)
    fill(t)
  end
end
