-- Many ephemeron tables that lead to each other.
-- expect: time or memory
local mode = { __mode = "k" }
local first = {}
local tables, key = {}, first
for i = 1, 15000 do
  local t = setmetatable({}, mode)
  local following = {}
  t[key] = following
  key = following
  tables[#tables + 1] = t
end
key = nil
local n = #tables
for i = 1, n // 2 do tables[i], tables[n - i + 1] = tables[n - i + 1], tables[i] end
while true do collectgarbage("step", 1000000) local t = {} end
