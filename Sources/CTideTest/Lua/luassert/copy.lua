-- Copies of tables.

local copy = {}

local metatable_of = debug and debug.getmetatable or getmetatable
local set_metatable = debug and debug.setmetatable
  or function(value, metatable)
    -- A protected metatable cannot be read, and is omitted.
    return type(metatable) == "table" and setmetatable(value, metatable) or value
  end

--- Copies a table's own fields. Other values are returned unchanged.
function copy.shallowcopy(value)
  if type(value) ~= "table" then
    return value
  end
  local made = {}
  for key, inner in next, value do
    made[key] = inner
  end
  return set_metatable(made, metatable_of(value))
end

local spies

-- Spies inside a table are not copied: specs compare the spy, not its history.
local function is_spy(value)
  spies = spies or require "luassert.spy"
  return spies.is_spy(value)
end

local function deep(value, with_metatables, made)
  if type(value) ~= "table" then
    return value
  end
  if made[value] then
    return made[value]
  end
  local whole = {}
  made[value] = whole
  for key, inner in next, value do
    if type(inner) == "table" then
      inner = is_spy(inner) and inner or deep(inner, with_metatables, made)
    end
    whole[key] = inner
  end
  local metatable = metatable_of(value)
  if with_metatables then
    metatable = deep(metatable, with_metatables, made)
  end
  return metatable and set_metatable(whole, metatable) or whole
end

--- Copies a table and its inner tables; shared tables and cycles are preserved.
function copy.deepcopy(value, with_metatables, made)
  return deep(value, with_metatables, made or {})
end

return copy
