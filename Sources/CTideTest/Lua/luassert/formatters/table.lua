-- How tables look in messages:
--
--   (table: 0x55d1c0) {
--     [1] = 'one'
--    *[2] = {
--      *[name] = 'two' } }
--
-- The stars lead to the first difference. An abbreviated table shows the whole path to it, with the
-- neighbours of each key.

local state = require "luassert.state"
local formatters = require "luassert.formatters"
local util = require "luassert.util"

local ranks = {
  number = 1, boolean = 2, string = 3, table = 4, ["function"] = 5, userdata = 6, thread = 7,
}

-- Numbers are sorted by size, strings alphabetically, and true before false. Other keys are sorted
-- by type only.
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

-- The items of the list part in order, then the other keys.
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

-- A table's address, even if its metatable has `__tostring`.
local function title(value, is_brief)
  if type(value) == "table" then
    return ("table: %p"):format(value)
  end
  local text = tostring(value)
  return is_brief and #text > 100 and require("luassert.contrast").excerpt(text, 1) or text
end

-- The neighbours to show on each side of a key of the path, the keys to show of a table outside of
-- the path, and the deepest level.
local around, most_keys, deepest = 2, 8, 10

-- The sorted keys, including `key` even if it is absent, because its absence may be the difference.
local function keys_with(contents, key)
  if contents[key] ~= nil then
    return sorted_keys(contents)
  end
  local all = { [key] = true }
  for each in next, contents do
    all[each] = true
  end
  return sorted_keys(all)
end

-- The keys to show in an abbreviated table, and the number of omitted keys before and after them.
local function some_keys(contents, key)
  local keys = key ~= nil and keys_with(contents, key) or sorted_keys(contents)
  local first, last = 1, most_keys
  for index, each in ipairs(keys) do
    if key ~= nil and rawequal(each, key) then
      first, last = index - around, index + around
    end
  end
  first, last = math.max(1, first), math.min(#keys, last)
  return table.move(keys, first, last, 1, {}), first - 1, #keys - last
end

-- In an abbreviated table, strings are cut, and the contents of tables outside of the path are
-- omitted.
local function brief_inner(value, contents)
  if contents then
    return next(contents) == nil and "{ }" or "{ ... }"
  elseif type(value) == "string" and #value > 100 then
    return "'" .. require("luassert.contrast").excerpt(value, 1) .. "'"
  end
  return formatters.inner(value)
end

local function formatter(is_brief)
  local limit = state.get_parameter "TableFormatLevel" or 3
  -- If all levels are shown, a table that contains itself would never end.
  local show_recursion = state.get_parameter "TableFormatShowRecursion" or limit < 0
  local mark = tostring(state.get_parameter "TableErrorHighlightCharacter" or "")
  local shown_mark = colored(mark, state.get_parameter "TableErrorHighlightColor")
  local open = {}
  local body

  -- `way` is the path to the difference, innermost key first; `left` of its keys remain.
  local function line(key, value, depth, way, left)
    local indent = (" "):rep(2 * depth)
    local marked = left > 0 and rawequal(way[left], key)
    if marked then
      indent = indent:sub(1, math.max(0, #indent - #mark)) .. shown_mark
    end
    local contents = util.contents_of(value)
    local text
    if is_brief and not (marked and contents) then
      text = brief_inner(value, contents)
    else
      text = contents and body(value, contents, depth, way, marked and left - 1 or 0)
        or formatters.inner(value)
    end
    return ("%s[%s] = %s"):format(indent, formatters.key(key), text)
  end

  function body(value, contents, depth, way, left)
    if next(contents) == nil and not (is_brief and left > 0) then
      return "{ }"
    elseif show_recursion and open[value] then
      return "{ ... recursive }"
    elseif is_brief and depth >= deepest or not is_brief and limit >= 0 and depth >= limit then
      return "{ ... more }"
    end
    open[value] = true
    local lines, keys, before_them, after_them = {}, nil, 0, 0
    if is_brief then
      keys, before_them, after_them = some_keys(contents, way[left])
    else
      keys = sorted_keys(contents)
    end
    local function leave_out(count)
      if count > 0 then
        lines[#lines + 1] = ("%s... %d more"):format((" "):rep(2 * depth + 2), count)
      end
    end
    leave_out(before_them)
    for _, key in ipairs(keys) do
      lines[#lines + 1] = line(key, contents[key], depth + 1, way, left)
    end
    leave_out(after_them)
    open[value] = nil
    return "{\n" .. table.concat(lines, "\n") .. " }"
  end

  return body
end

local function format(_, value, details)
  local way = details and details.crumbs or {}
  local is_brief = details and details.brief
  local text = formatter(is_brief)(value, util.contents_of(value), 0, way, #way)
  return ("(%s) %s"):format(title(value, is_brief), text)
end

return setmetatable({ sorted_keys = sorted_keys }, { __call = format })
