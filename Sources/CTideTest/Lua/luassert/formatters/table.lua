-- How tables look in messages:
--
--   (table: 0x55d1c0) {
--     [1] = 'one'
--    *[2] = {
--      *[name] = 'two' } }
--
-- The stars lead to the first difference.

local state = require "luassert.state"
local formatters = require "luassert.formatters"
local util = require "luassert.util"

local ranks = {
  number = 1, boolean = 2, string = 3, table = 4, ["function"] = 5, userdata = 6, thread = 7,
}

-- Numbers go by size, texts by letters, true before false; the rest somehow, but by kind.
local function before(a, b)
  local rank_a, rank_b = ranks[type(a)], ranks[type(b)]
  if rank_a ~= rank_b then
    return rank_a < rank_b
  elseif rank_a == 1 or rank_a == 3 then
    return a < b
  elseif rank_a == 2 then
    return a and not b
  end
  return tostring(a) < tostring(b)
end

-- The items of a list first and in their order, then the other keys.
local function sorted_keys(contents)
  local keys, others, length = {}, {}, rawlen(contents)
  for i = 1, length do
    if rawget(contents, i) ~= nil then
      keys[#keys + 1] = i
    end
  end
  for key in next, contents do
    if not (math.type(key) == "integer" and key >= 1 and key <= length) then
      others[#others + 1] = key
    end
  end
  table.sort(others, before)
  return table.move(others, 1, #others, #keys + 1, keys)
end

local function colored(mark, name)
  if name == "none" then
    return mark
  end
  local color = require("term.colors")[name]
  return color and color(mark) or mark
end

-- A table's address, whatever its metatable says its text is.
local function title(value)
  if type(value) ~= "table" then
    return tostring(value)
  end
  return ("table: %p"):format(value)
end

local function formatter()
  local limit = state.get_parameter "TableFormatLevel" or 3
  -- With all levels shown, a table inside itself would have no end.
  local show_recursion = state.get_parameter "TableFormatShowRecursion" or limit < 0
  local mark = tostring(state.get_parameter "TableErrorHighlightCharacter" or "")
  local shown_mark = colored(mark, state.get_parameter "TableErrorHighlightColor")
  local open = {}
  local body

  -- `way` has the keys to the difference, innermost first; `left` of them remain.
  local function line(key, value, depth, way, left)
    local indent = (" "):rep(2 * depth)
    local marked = left > 0 and rawequal(way[left], key)
    if marked then
      indent = indent:sub(1, math.max(0, #indent - #mark)) .. shown_mark
    end
    local contents = util.contents_of(value)
    local text = contents and body(value, contents, depth, way, marked and left - 1 or 0)
      or formatters.inner(value)
    return ("%s[%s] = %s"):format(indent, formatters.key(key), text)
  end

  function body(value, contents, depth, way, left)
    if next(contents) == nil then
      return "{ }"
    elseif show_recursion and open[value] then
      return "{ ... recursive }"
    elseif limit >= 0 and depth >= limit then
      return "{ ... more }"
    end
    open[value] = true
    local lines = {}
    for _, key in ipairs(sorted_keys(contents)) do
      lines[#lines + 1] = line(key, contents[key], depth + 1, way, left)
    end
    open[value] = nil
    return "{\n" .. table.concat(lines, "\n") .. " }"
  end

  return body
end

return function(value, details)
  local way = details and details.crumbs or {}
  local text = formatter()(value, util.contents_of(value), 0, way, #way)
  return ("(%s) %s"):format(title(value), text)
end
