-- Explains the values of a failed assertion by the causes of properties. An assertion receives only
-- values, so the properties are found in the text of its statement:
--
--   assert.equal("JO", title.text)      -- title is a local variable that holds a view
--
-- Names are resolved as in the statement: as a local variable, an upvalue or a global.

local host = ...
local getinfo, getlocal, getupvalue = debug.getinfo, debug.getlocal, debug.getupvalue
local pcall, tonumber, type = pcall, tonumber, type
local concat = table.concat

-- The most lines of a statement, and the most properties to explain.
local longest, most = 20, 4
local title = 'Why it is so:'

-- Removes strings and comments, which contain no names of the statement.
local function without_strings(text)
  text = text:gsub('%-%-%[(=*)%[.-%]%1%]', ''):gsub('%[(=*)%[.-%]%1%]', "''")
  text = text:gsub('\\.', '')
  return (text:gsub('"[^"\n]*"', "''"):gsub("'[^'\n]*'", "''"):gsub('%-%-[^\n]*', ''))
end

local function statement(info)
  local text = host.linesOf(info.source:sub(2), info.currentline, longest)
  if not text then return '' end
  text = without_strings(text)
  local start = text:find('assert', 1, true)
  local first = text:find('\n', 1, true) or #text + 1
  if not start or start > first then return text:sub(1, first - 1) end
  return text:match('^[%w_%.:%s]*%b()', start) or text:sub(start, first - 1)
end

local function variable(name, level)
  local value, isLocal
  for index = 1, math.huge do
    local key, held = getlocal(level + 1, index)
    if not key then break end
    if key == name then value, isLocal = held, true end
  end
  if isLocal then return value end
  local environment
  local fn = getinfo(level + 1, 'f').func
  for index = 1, math.huge do
    local key, held = getupvalue(fn, index)
    if not key then break end
    if key == name then return held end
    if key == '_ENV' then environment = held end
  end
  return environment and environment[name]
end

-- The causes of the last property of a chain; empty if the chain leads to none.
local function causes(names, level)
  local value = variable(names[1], level + 1)
  for index = 2, #names - 1 do
    value = value[names[index]]
  end
  local last = names[#names]
  if type(last) ~= 'string' or type(value) ~= 'userdata' then return {} end
  return host.causes(value, last)
end

-- Names joined by dots, possibly with indexes in brackets, except those that are called.
local function chains(text)
  local found, known = {}, {}
  for before, chain, after in
    text:gmatch('()([%a_][%w_]*[%.%[][%w_%.%[%]]*)%s*()') do
    local previous, next = text:sub(before - 1, before - 1), text:sub(after, after)
    if not known[chain] and not previous:find('[%w_%.:]') and not next:find('[%({\'"]') then
      known[chain] = true
      local names = {}
      for name in chain:gmatch('[%w_]+') do
        names[#names + 1] = tonumber(name) or name
      end
      if #names > 1 then found[#found + 1] = names end
    end
  end
  return found
end

--- The text to add to the message of an assertion that failed at a level of the stack.
return function(message, level)
  local info = getinfo(level + 1, 'Sl')
  if not info or info.currentline <= 0 or info.source:sub(1, 1) ~= '@' then return '' end
  if message:find(title, 1, true) then return '' end
  local lines, count = {}, 0
  for _, names in ipairs(chains(statement(info))) do
    local isGood, found = pcall(causes, names, level + 2)
    if isGood and #found > 0 and count < most then
      count = count + 1
      for _, line in ipairs(found) do
        lines[#lines + 1] = line
      end
    end
  end
  if count == 0 then return '' end
  return '\n' .. title .. '\n  ' .. concat(lines, '\n  ')
end
