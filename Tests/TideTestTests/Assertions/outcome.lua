-- What becomes of a chunk: "gives" and its results as text, or "fails" and its message.

local modules = { assert = "luassert", say = "say" }
for _, name in ipairs { "spy", "stub", "mock", "match", "util" } do
  modules[name] = "luassert." .. name
end

local function forget_modules()
  for name in pairs(package.loaded) do
    if name:match "^luassert" or name == "say" then
      package.loaded[name] = nil
    end
  end
end

-- Addresses differ from run to run, and a place in front differs with whose file it is.
local function steady(text)
  return (text:gsub("0x%x+", "0x…"):gsub("^[^\n]-%.?[%w]*:%d+: ", "", 1))
end

local function sorted(value)
  local keys = {}
  for key in next, value do
    keys[#keys + 1] = key
  end
  table.sort(keys, function(a, b)
    if type(a) == "number" and type(b) == "number" then
      return a < b
    end
    return tostring(a) < tostring(b)
  end)
  return keys
end

local function shown(value, depth)
  local kind = type(value)
  if kind == "string" then
    return "'" .. value .. "'"
  elseif kind == "table" and depth < 4 then
    local texts = {}
    for _, key in ipairs(sorted(value)) do
      texts[#texts + 1] = ("%s=%s"):format(tostring(key), shown(rawget(value, key), depth + 1))
    end
    return "{" .. table.concat(texts, ", ") .. "}"
  elseif kind == "number" or kind == "boolean" or kind == "nil" then
    return tostring(value)
  end
  return kind
end

return function(source)
  forget_modules()
  local environment = setmetatable({}, { __index = _G })
  for name, module in pairs(modules) do
    environment[name] = require(module)
  end
  local chunk = assert(load(source, "=case.lua", "t", environment))
  -- Called inside a function, so that a chunk's last call has somewhere to return to.
  local results = table.pack(pcall(function()
    local values = table.pack(chunk())
    return table.unpack(values, 1, values.n)
  end))
  if not results[1] then
    local message = results[2]
    local text = type(message) == "string" and message or shown(message, 0)
    return "fails", steady(text)
  end
  local texts = {}
  for i = 2, results.n do
    texts[#texts + 1] = shown(results[i], 0)
  end
  return "gives", (table.concat(texts, ", "):gsub("0x%x+", "0x…"))
end
