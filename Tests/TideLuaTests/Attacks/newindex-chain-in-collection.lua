-- Keys are put in through chains of __newindex while the collector runs.
-- expect: fine
local function chain(n)
  local last = {}
  local t = last
  for i = 1, n do t = setmetatable({}, { __newindex = t }) end
  return t, last
end
for round = 1, 30 do
  local t, last = chain(round * 3)
  for i = 1, 300 do
    t[i] = { i }
    t["k" .. i] = { i }
    if i % 100 == 0 then collectgarbage("step") end
  end
  collectgarbage()
  for i = 1, 300 do assert(last[i][1] == i and last["k" .. i][1] == i) end
end
