-- Writes any value in a readable form, for errors that are tables.

local concat, sort = table.concat, table.sort
local ipairs, math_type, next, rawget = ipairs, math.type, next, rawget
local tostring, type = tostring, type

local keywords = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat
  return then true until while]]):gmatch('%a+') do
  keywords[word] = true
end

local function quoted(text)
  if text:find('[\n"]') and not text:find(']]', 1, true) then return '[[' .. text .. ']]' end
  return ('%q'):format(text):gsub('\\\n', '\\n')
end

local function written(value)
  if type(value) == 'string' then return (quoted(value)) end
  if type(value) == 'number' or type(value) == 'boolean' or value == nil then
    return tostring(value)
  end
  return '"' .. tostring(value) .. '"'
end

local function key_text(key)
  if type(key) == 'number' then return '[' .. tostring(key) .. ']' end
  if type(key) ~= 'string' then return '["' .. tostring(key) .. '"]' end
  if key:find('^[%a_][%w_]*$') and not keywords[key] then return key end
  return '[' .. quoted(key) .. ']'
end

-- Strings before numbers, each sorted, so that the text is the same in every run.
local function sorted_keys(value, count)
  local keys = {}
  for key in next, value do
    if not (math_type(key) == 'integer' and key >= 1 and key <= count) then
      keys[#keys + 1] = key
    end
  end
  sort(keys, function(left, right)
    local a, b = type(left) == 'number', type(right) == 'number'
    if a ~= b then return b end
    if a then return left < right end
    return tostring(left) < tostring(right)
  end)
  return keys
end

local function write(value, indent, lines, open, prefix)
  if type(value) ~= 'table' then
    lines[#lines + 1] = prefix .. written(value)
    return
  end
  if open[value] then
    lines[#lines + 1] = prefix .. '<cycle>'
    return
  end
  open[value] = true
  lines[#lines + 1] = prefix .. '{'
  local inner = indent .. '  '
  local count = 0
  while rawget(value, count + 1) ~= nil do
    count = count + 1
  end
  local keys = sorted_keys(value, count)
  local left = count + #keys
  local function add(entry, before)
    write(entry, inner, lines, open, inner .. before)
    left = left - 1
    if left > 0 then lines[#lines] = lines[#lines] .. ',' end
  end
  for index = 1, count do
    add(rawget(value, index), '')
  end
  for _, key in ipairs(keys) do
    add(rawget(value, key), key_text(key) .. ' = ')
  end
  lines[#lines + 1] = indent .. '}'
  open[value] = nil
end

return function(value)
  if type(value) ~= 'table' then return tostring(value) end
  local lines = {}
  write(value, '', lines, {}, '')
  return concat(lines, '\n')
end
