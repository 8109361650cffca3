-- `matches(pattern, text, init, plain, message)`: whether a text contains a pattern.

local namespaces = require "luassert.namespaces"
local misuse = require "luassert.misuse"
local util = require "luassert.util"

local patterns = {}

--- Removes the spec's message from the arguments after the pattern and the text: the first one that
--- is neither a number nor a boolean. Returns the index of the argument that may be the start position.
function patterns.take_message(state, arguments)
  for i = 3, arguments.n do
    local value = arguments[i]
    if value and type(value) ~= "boolean" and not tonumber(value) then
      state.failure_message = util.tremove(arguments, i)
      return i == 3 and 4 or 3
    end
  end
  return 3
end

--- Raises unless the position is a number or missing.
function patterns.check_init(arguments, position, level)
  local init = arguments[3]
  if init ~= nil and not tonumber(init) then
    misuse.bad_type(position, "matches", "number", type(init), level + 1)
  end
end

--- Finds the pattern: its captures, or the whole match, or nothing.
function patterns.find(text, pattern, init, plain)
  if plain then
    return text:find(pattern, init, true) and { pattern, n = 1 } or nil
  end
  local found = table.pack(text:match(pattern, init))
  return found[1] ~= nil and found or nil
end

local function matches(state, arguments, level)
  misuse.need(arguments, 2, "matches", level)
  local position = patterns.take_message(state, arguments)
  local pattern, value = arguments[1], arguments[2]
  if type(pattern) ~= "string" then
    misuse.bad_type(1, "matches", "string", type(pattern), level)
  end
  if not (util.hastostring(value) or type(value) == "number") then
    local got = require("luassert.state").format_argument(value)
    misuse.bad_type(2, "matches", "string or object convertible to a string", got, level)
  end
  patterns.check_init(arguments, position, level)
  local found = patterns.find(tostring(value), pattern, arguments[3], arguments[4])
  arguments[1], arguments[2] = value, pattern
  return found ~= nil, found or { n = 0 }
end

namespaces.provide_assertion({ "matches", "match" }, matches, "matches")

return patterns
