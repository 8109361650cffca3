-- The contents of snapshots: spies, parameters and formatters. Each snapshot is a level above the
-- previous one.
--
--   root ⇄ snapshot ⇄ snapshot     (`next` and `previous`)
--
-- Values are set in the newest level, and lookups search from there downward. So removing a level
-- restores the previous state.

local state = {}

-- Stands for nil, so that a parameter set to nil hides the value of a lower level.
local Nothing = {}

local Level = {}
Level.__call = function(self)
  return self
end

local current

local function raise_unless_valid(level)
  if getmetatable(level) ~= Level or level.reverted then
    error("Value provided is not a valid snapshot", 3)
  end
end

--- Restores the state before the snapshot. Newer snapshots are reverted with it.
function state.revert(level)
  raise_unless_valid(level)
  while level.next do
    state.revert(level.next)
  end
  -- Last to first: the later of two spies at one key holds the earlier one.
  for i = #level.spies, 1, -1 do
    level.spies[i]:revert()
  end
  level.spies = {}
  level.formatters, level.parameters = {}, {}
  if level.previous then
    level.reverted = true
    current = level.previous
    current.next, level.previous = nil, nil
  end
end

local function level_over(previous)
  local level = { formatters = {}, parameters = {}, spies = {}, previous = previous }
  level.revert = state.revert
  return setmetatable(level, Level)
end

current = level_over(nil)
current.parameters = {
  TableFormatLevel = 3,
  TableFormatShowRecursion = false,
  TableErrorHighlightCharacter = "*",
  TableErrorHighlightColor = "none",
}

function state.snapshot()
  local level = level_over(current)
  current.next = level
  current = level
  return level
end

function state.add_formatter(formatter)
  if not require("luassert.util").callable(formatter) then
    local text = "assert:add_formatter(formatter) needs a function, got %s"
    error(text:format(type(formatter)), 3)
  end
  table.insert(current.formatters, 1, formatter)
end

function state.remove_formatter(formatter, level)
  level = level or current
  for i = #level.formatters, 1, -1 do
    if level.formatters[i] == formatter then
      table.remove(level.formatters, i)
      return
    end
  end
  if level.previous then
    state.remove_formatter(formatter, level.previous)
  end
end

--- A value's text, from the newest formatter that has one, or else from the built-in formatter.
function state.format_argument(value, details)
  local level = current
  while level do
    for _, formatter in ipairs(level.formatters) do
      local text = formatter(value, details)
      if text ~= nil then
        return text
      end
    end
    level = level.previous
  end
  return require("luassert.formatters").format(value, details)
end

function state.set_parameter(name, value)
  if name == nil then
    error("assert:set_parameter(name, value) needs a name, got nil", 3)
  end
  if value == nil then
    value = Nothing
  end
  current.parameters[name] = value
end

function state.get_parameter(name)
  local level = name ~= nil and current
  while level do
    local value = level.parameters[name]
    if value == Nothing then
      return nil
    elseif value ~= nil then
      return value
    end
    level = level.previous
  end
  return nil
end

--- Lets the current snapshot revert a spy when it is reverted itself.
function state.add_spy(spy)
  if spy == nil then
    error("assert:add_spy(spy) needs a spy, got nil", 3)
  end
  table.insert(current.spies, spy)
end

return state
