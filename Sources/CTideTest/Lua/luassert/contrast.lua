-- Shows two values that should be the same in a failure's message. Short values are shown whole.
-- For long values, and for differences deeper than tables are shown, the message shows the
-- surroundings of the first difference, then each location that differs:
--
--   Passed in:
--   (table: 0x55d1c0) {
--     ... 29 more
--     [30] = { ... }
--    *[31] = {
--       [id] = 31
--      *[name] = 'Eve' }
--     ... 29 more }
--   …
--   The difference, from what was expected (-) to what was passed in (+):
--   at [31].name
--   - (string) 'Ada'
--   + (string) 'Eve'

local compare = require "luassert.compare"
local state = require "luassert.state"
local util = require "luassert.util"

local contrast = {}

local metatable_of = debug and debug.getmetatable or getmetatable

-- Longer values are abbreviated, and only this many differing locations are listed.
local most_lines, most_bytes, most_places = 24, 1000, 5
-- The most keys of a printed path, and the depth of the search for differing locations.
local longest_path, deepest = 10, 50
-- Texts with at least this many lines are compared line by line.
local least_lines = 4
-- The number of bytes on each side of a differing byte.
local bytes_around = 40

-- Whether a text is too long to be shown whole.
local function is_long(text)
  local _, ends = text:gsub("\n", "")
  return ends >= most_lines or #text > most_bytes
end

local function is_continuation(text, index)
  local byte = text:byte(index)
  return byte and byte >= 0x80 and byte < 0xC0
end

--- The first byte in which two texts differ.
function contrast.first_difference(a, b)
  local low, high = 0, math.min(#a, #b)
  while low < high do
    local middle = (low + high + 1) // 2
    if a:sub(low + 1, middle) == b:sub(low + 1, middle) then
      low = middle
    else
      high = middle - 1
    end
  end
  return low + 1
end

--- The part of a text around a byte, with `…` for omitted text.
function contrast.excerpt(text, at)
  local first, last = math.max(1, at - bytes_around), math.min(#text, at + bytes_around)
  -- A few more bytes take no more space than the dots.
  if first <= 4 then first = 1 end
  if last >= #text - 3 then last = #text end
  while first > 1 and is_continuation(text, first) do
    first = first - 1
  end
  while last < #text and is_continuation(text, last + 1) do
    last = last + 1
  end
  return (first > 1 and "…" or "") .. text:sub(first, last) .. (last < #text and "…" or "")
end

-- The line and column of a byte, as editors count them.
local function location(text, at)
  local before = text:sub(1, at - 1)
  local _, ends = before:gsub("\n", "")
  if ends == 0 then
    return "byte " .. at
  end
  return ("line %d, byte %d"):format(ends + 1, at - #before:match "^.*\n")
end

local function is_long_line(text)
  return not text:find("\n", 1, true) and is_long(text)
end

-- The difference of two texts; nil if both are short enough to be shown whole.
local function text_difference(expected, actual)
  local _, ends = expected:gsub("\n", "")
  local _, others = actual:gsub("\n", "")
  if math.max(ends, others) >= least_lines and math.min(ends, others) > 0 then
    return require("tidelock.test.diff").text(expected, actual)
  elseif is_long(expected) or is_long(actual) then
    local at = contrast.first_difference(expected, actual)
    return ("at %s\n- %s\n+ %s"):format(
      location(expected, at), contrast.excerpt(expected, at), contrast.excerpt(actual, at))
  end
end

-- MARK: Places

local function own_equality(a, b)
  local metatable = metatable_of(a)
  return metatable and metatable == metatable_of(b) and type(metatable) == "table" and metatable.__eq
end

local function key_text(key)
  if type(key) == "string" then
    return key:find "^[%a_][%w_]*$" and "." .. key or ("[%q]"):format(key)
  end
  return ("[%s]"):format(require("luassert.formatters").key(key))
end

-- The keys that lead to a location, as a path. The middle of a long path is omitted.
local function path_text(keys)
  local texts = {}
  for index, key in ipairs(keys) do
    if #keys <= longest_path or index <= 3 or index > #keys - 3 then
      texts[#texts + 1] = key_text(key)
    elseif index == 4 then
      texts[#texts + 1] = (" … %d more … "):format(#keys - 6)
    end
  end
  return (table.concat(texts):gsub("^%.", ""))
end

-- The location at the end of a path whose innermost key comes first.
local function place_of(way, expected, actual)
  local keys = {}
  for index = #way, 1, -1 do
    keys[#keys + 1] = way[index]
    local inner_a, inner_b = util.contents_of(expected), util.contents_of(actual)
    expected, actual = inner_a and inner_a[way[index]], inner_b and inner_b[way[index]]
  end
  return { keys = keys, expected = expected, actual = actual }
end

-- The differing locations, each with its keys and both values: at most one more than is shown.
local function places(expected, actual, way)
  -- A search at this depth would take too long.
  if #way > deepest then
    return { place_of(way, expected, actual) }
  end
  local found, open, keys = {}, {}, {}
  local keys_of = require("luassert.formatters.table").sorted_keys
  local function walk(a, b)
    if #found > most_places or #keys > deepest or compare.deepcompare(a, b, #keys == 0) then
      return
    end
    local inner_a, inner_b = util.contents_of(a), util.contents_of(b)
    if not inner_a or not inner_b or #keys > 0 and own_equality(a, b) then
      found[#found + 1] = {
        keys = table.move(keys, 1, #keys, 1, {}), expected = a, actual = b,
      }
      return
    end
    -- The table is already being compared further up the path, which finds its differences.
    if open[a] then
      return
    end
    open[a] = true
    local all = {}
    for key in next, inner_a do
      all[key] = true
    end
    for key in next, inner_b do
      all[key] = true
    end
    for _, key in ipairs(keys_of(all)) do
      if not rawequal(inner_a[key], inner_b[key]) then
        keys[#keys + 1] = key
        walk(inner_a[key], inner_b[key])
        keys[#keys] = nil
      end
    end
    open[a] = nil
  end
  walk(expected, actual)
  return #found > 0 and found or { place_of(way, expected, actual) }
end

local function marked(mark, text)
  return mark .. " " .. text:gsub("\n", "\n" .. mark .. " ")
end

local function place_text(place)
  local text
  if type(place.expected) == "string" and type(place.actual) == "string" then
    text = text_difference(place.expected, place.actual)
  end
  text = text or marked("-", state.format_argument(place.expected, { brief = true })) .. "\n"
    .. marked("+", state.format_argument(place.actual, { brief = true }))
  return ("at %s\n%s"):format(path_text(place.keys), text)
end

local function places_text(found)
  local texts = {}
  for index = 1, math.min(#found, most_places) do
    texts[index] = place_text(found[index])
  end
  if #found > most_places then
    texts[#texts + 1] = "… and more"
  end
  return table.concat(texts, "\n")
end

-- The difference as text, and the path to its first location, innermost key first.
local function difference(expected, actual)
  if type(expected) == "string" and type(actual) == "string" then
    return text_difference(expected, actual)
  elseif not util.contents_of(expected) or not util.contents_of(actual) then
    return nil
  end
  local same, way = compare.deepcompare(expected, actual, true)
  if same or not way then
    return same and "none: two tables with the same content" or nil
  end
  local found = places(expected, actual, way)
  local first = found[1].keys
  way = {}
  for index = #first, 1, -1 do
    way[#way + 1] = first[index]
  end
  return places_text(found), way
end

-- MARK: Both values

-- Whether the first difference is deeper than tables are shown.
local function is_hidden(way)
  local level = state.get_parameter "TableFormatLevel" or 3
  return way ~= nil and level >= 0 and #way > level
end

--- The texts of the value passed in, of the expected value, and of their difference. The last is nil if
--- both values are shown whole. `way` is the path to the first difference, the innermost key first.
function contrast.texts(actual, expected, way)
  local details = { crumbs = way }
  local texts = { state.format_argument(actual, details), state.format_argument(expected, details) }
  local are_strings = type(actual) == "string" and type(expected) == "string"
  local level = state.get_parameter "TableFormatLevel" or 3
  -- Without a limit on levels, tables are shown whole.
  local is_brief = is_hidden(way)
    or (is_long(texts[1]) or is_long(texts[2])) and (are_strings or level >= 0)
  if not is_brief then
    return texts[1], texts[2], are_strings and text_difference(expected, actual) or nil
  end
  local text
  text, details.crumbs = difference(expected, actual)
  details.brief = true
  details.at = are_strings and contrast.first_difference(expected, actual) or nil
  return state.format_argument(actual, details), state.format_argument(expected, details), text
end

--- The abbreviated text of a long string; nil for a short one.
function contrast.brief_string(text, at)
  if not is_long(text) then
    return nil
  elseif is_long_line(text) then
    return ("(string) '%s' (%d bytes)"):format(contrast.excerpt(text, at or 1), #text)
  end
  local _, ends = text:gsub("\n", "")
  return ("(string) of %d lines, %d bytes"):format(ends + 1, #text)
end

-- MARK: Lists of arguments

-- The path to the first difference of two arguments; nil if they match.
local function way_between(asked, given)
  if require("luassert.match").is_matcher(asked) then
    return nil, true
  end
  local same, way = compare.deepcompare(asked, given)
  return way, same
end

--- The texts of two lists of arguments or results. The difference names each argument by its number.
function contrast.lists(actual, expected)
  local whole, wanted = state.format_argument(actual), state.format_argument(expected)
  if type(actual) ~= "table" or type(expected) ~= "table" then
    return whole, wanted
  end
  local is_brief, found = is_long(whole) or is_long(wanted), {}
  local details = { {}, {} }
  for i = 1, math.max(actual.n, expected.n) do
    local way, same = way_between(expected[i], actual[i])
    if not same then
      is_brief = is_brief or is_hidden(way)
      local text
      text, way = difference(expected[i], actual[i])
      if text then
        found[#found + 1] = ("argument %d:\n%s"):format(i, text)
      end
    end
    details[1][i], details[2][i] = { crumbs = way, brief = true }, { crumbs = way, brief = true }
  end
  if not is_brief then
    return whole, wanted
  end
  return state.format_argument(actual, { items = details[1] }),
    state.format_argument(expected, { items = details[2] }),
    #found > 0 and table.concat(found, "\n") or nil
end

return contrast
