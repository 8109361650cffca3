-- What a snapshot holds: spies, parameters and formatters, each level over the one before.
--
--   root ⇄ snapshot ⇄ snapshot     (`next` and `previous`)
--
-- What is set goes into the newest level and what is read is looked for from there on down,
-- so that taking a level away is all there is to going back.

local state = {}

-- A parameter set to nil hides the one below; a level cannot hold nil itself.
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

--- Goes back to what was before the snapshot. Newer snapshots are reverted with it.
function state.revert(level)
  raise_unless_valid(level)
  while level.next do
    state.revert(level.next)
  end
  -- Backwards: the last of two spies in one place holds the first.
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

--- A value's text: of the newest formatter that has one for it, else the built-in one.
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

--- Has the current snapshot revert a spy when it is reverted itself.
function state.add_spy(spy)
  if spy == nil then
    error("assert:add_spy(spy) needs a spy, got nil", 3)
  end
  table.insert(current.spies, spy)
end

return state
