-- Keys are cleared and collected while a table is traversed.
-- expect: fine
for round = 1, 20 do
  local t = {}
  for i = 1, 200 do t[{}] = i t["k" .. i] = i end
  local count = 0
  for key in next, t do
    t[key] = nil
    count = count + 1
    if count % 20 == 0 then collectgarbage() end
  end
  assert(count == 400 and next(t) == nil)
end
local weak = setmetatable({}, { __mode = "kv" })
for i = 1, 200 do weak[{}] = {} weak[i] = {} end
local seen = 0
for key, value in next, weak do
  weak[key] = nil
  key, value = nil, nil
  seen = seen + 1
  if seen % 10 == 0 then collectgarbage() end
end
