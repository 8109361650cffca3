-- A weak metatable's __newindex is a table that nobody else holds, and memory runs out while a key is put in.
-- expect: fine or memory or time
local hold = {}
pcall(function() for i = 1, 1e7 do hold[i] = ("x"):rep(1000) .. i end end)
for i = #hold - 40, #hold do hold[i] = nil end
for round = 1, 200 do
  local mt = setmetatable({ __newindex = {} }, { __mode = "v" })
  local t = setmetatable({}, mt)
  pcall(function() for i = 1, 4096 do t[i] = i t["k" .. i] = t end end)
end
