-- Weak keys that lead to each other in an order that makes each pass of the collector find little.
-- expect: given up or time or memory
local first, all = {}, {}
for i = 1, 60000 do all[i] = {} end
for i = #all, 2, -1 do
  local j = math.random(i)
  all[i], all[j] = all[j], all[i]
end
local keys = setmetatable({}, { __mode = "k" })
local key = first
for i = 1, #all do
  keys[key] = all[i]
  key = all[i]
end
all, key = nil, nil
while true do collectgarbage() end
