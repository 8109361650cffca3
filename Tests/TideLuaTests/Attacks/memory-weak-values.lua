-- A weak table that is filled and read while its entries are collected.
-- expect: time
local weak = setmetatable({}, { __mode = "kv" })
while true do
  for i = 1, 1000 do weak[i] = { i } weak[{}] = {} end
  for k in pairs(weak) do weak[k] = nil end
end
