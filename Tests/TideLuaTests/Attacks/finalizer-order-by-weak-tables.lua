-- Weak and ephemeron tables of one another are cleared in every order, with values that come back.
-- expect: fine
for round = 1, 30 do
  local weak = setmetatable({}, { __mode = round % 3 == 0 and "k" or round % 3 == 1 and "v" or "kv" })
  local keys = {}
  for i = 1, 100 do
    local key = {}
    weak[key] = setmetatable({ key, weak }, { __mode = "v" })
    if i % 2 == 0 then keys[#keys + 1] = key end
  end
  collectgarbage()
  for i, key in ipairs(keys) do
    local value = weak[key]
    if value then assert(value[1] == key) end
    weak[{}] = key
    if i % 10 == 0 then collectgarbage("step") end
  end
  collectgarbage()
  for key, value in pairs(weak) do assert(type(key) == "table" and type(value) == "table") end
end
