-- Ephemerons in an order that makes each pass of the collector find one more.
-- expect: time or memory or fine or given up
local keys = setmetatable({}, { __mode = "k" })
local first = {}
local key = first
for i = 1, 20000 do
  local following = {}
  keys[key] = following
  key = following
end
key = nil
for i = 1, 50 do
  collectgarbage()
  local t = {}
  for j = 1, 100 do t[j] = { j } end
end
