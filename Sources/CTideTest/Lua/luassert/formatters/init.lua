-- The texts of values in messages, unless a spec's own formatter provides one.

local state = require "luassert.state"
local arguments = require "luassert.arguments"
local util = require "luassert.util"

local formatters = {}

local function number(value)
  if value ~= value then
    return "NaN"
  elseif value == math.huge then
    return "Inf"
  elseif value == -math.huge then
    return "-Inf"
  elseif math.type(value) == "integer" then
    return tostring(value)
  end
  -- All digits, so that different numbers have different texts.
  local text = ("%.20g"):format(value)
  return text:find(".", 1, true) and text or (text:gsub("^-?%d+", "%0.0"))
end

-- The location where a function was defined. It is omitted in tables, which would become too wide.
local function definition(fn)
  if not debug then
    return tostring(fn)
  end
  local info = debug.getinfo(fn, "S")
  return ("%s @ line %d in %s"):format(tostring(fn), info.linedefined, info.source)
end

local function list(values, details)
  local texts, items = {}, details and details.items
  for i = 1, values.n do
    texts[i] = state.format_argument(values[i], items and items[i])
  end
  return "(" .. table.concat(texts, ", ") .. ")"
end

local function matcher(value)
  if value.name == nil then
    return "(matcher) _ *anything*"
  end
  return ("(matcher) %s.%s%s"):format(value.mod and "is" or "no", value.name, list(value.arguments))
end

local match

local function is_matcher(value)
  match = match or require "luassert.match"
  return match.is_matcher(value)
end

local function whole_table(value, details)
  return require("luassert.formatters.table")(value, details)
end

local by_type = {
  ["nil"] = function()
    return "(nil)"
  end,
  boolean = function(value)
    return "(boolean) " .. tostring(value)
  end,
  number = function(value)
    return "(number) " .. number(value)
  end,
  string = function(value, details)
    local brief = details and details.brief
      and require("luassert.contrast").brief_string(value, details.at)
    return brief or "(string) '" .. value .. "'"
  end,
  ["function"] = definition,
  thread = function(value)
    return ("(thread) '%s'"):format(tostring(value))
  end,
  userdata = function(value, details)
    if util.contents_of(value) then
      return whole_table(value, details)
    end
    return ("(userdata) '%s'"):format(tostring(value))
  end,
  table = function(value, details)
    if arguments.is_arglist(value) then
      return "(values list) " .. list(value, details)
    elseif is_matcher(value) then
      return matcher(value)
    end
    return whole_table(value, details)
  end,
}

--- A value's text, with its type.
function formatters.format(value, details)
  return by_type[type(value)](value, details)
end

--- The text of a value inside a table; the value itself is not a table.
function formatters.inner(value)
  local kind = type(value)
  if kind == "string" then
    return "'" .. value .. "'"
  elseif kind == "number" then
    return number(value)
  end
  return tostring(value)
end

--- The text of a key.
function formatters.key(value)
  return type(value) == "number" and number(value) or tostring(value)
end

return formatters
