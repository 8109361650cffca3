-- Keys that are not there, and tables that change while they are walked.
-- expect: fine
assert(not pcall(next, {}, "missing"))
assert(not pcall(next, {}, {}))
assert(next({}, nil) == nil)
for round = 1, 20 do
  local t = {}
  for i = 1, 100 do t[i] = i t["k" .. i] = i end
  pcall(function()
    for k in pairs(t) do
      t[k] = nil
      t[{}] = true
      t["new" .. tostring(k)] = true
      if #t > 500 then break end
    end
  end)
  for k in next, t do t[k] = nil if math.random(20) == 1 then collectgarbage() end end
  assert(next(t) == nil)
end
