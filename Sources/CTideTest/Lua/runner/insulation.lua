-- Saves the globals and loaded modules before a block, to restore them afterwards. The host
-- receives it together with the words.

local words = ...
-- In the sandbox the metatable of the globals is hidden from specs.
local getmetatable, setmetatable = debug.getmetatable, debug.setmetatable
local next, rawset = next, rawset
local G, loaded = _G, package and package.loaded or {}

function words.save()
  local saved = { globals = {}, loaded = {}, metatable = getmetatable(G) }
  for key, value in next, G do
    saved.globals[key] = value
  end
  for key, value in next, loaded do
    saved.loaded[key] = value
  end
  return saved
end

function words.restore(saved)
  setmetatable(G, saved.metatable)
  for key in next, G do
    if saved.globals[key] == nil then rawset(G, key, nil) end
  end
  for key, value in next, saved.globals do
    rawset(G, key, value)
  end
  for key in next, loaded do
    if saved.loaded[key] == nil then loaded[key] = nil end
  end
  for key, value in next, saved.loaded do
    loaded[key] = value
  end
end
