-- A comparator that empties, grows and collects the table that is sorted.
-- expect: fine or error "compare" or error "invalid order function"
local t = {}
for i = 1, 1000 do t[i] = (i * 7919) % 1009 end
table.sort(t, function(a, b)
  for i = 1, 10 do t[#t + 1] = 0 end
  if #t > 5000 then for k in pairs(t) do t[k] = nil end end
  if math.random(100) == 1 then collectgarbage() end
  return a < b
end)
local function failing() error("stop", 0) end
local ok, message = pcall(table.sort, { 3, 2, 1 }, failing)
assert(not ok and message == "stop")
assert(not pcall(table.sort, { 1, "x" }))
assert(not pcall(table.sort, { 1, nil, 3, nil, 5, n = 5 }) or true)
