-- `has_error` and `error_matches`: whether a function raises an error, and which.

local namespaces = require "luassert.namespaces"
local compare = require "luassert.compare"
local misuse = require "luassert.misuse"
local patterns = require "luassert.assertions.patterns"
local util = require "luassert.util"

local function without_location(text)
  return (text:gsub("^.-:%d+: ", "", 1))
end

-- Calls the function. The location at the start of an error's text is removed, so that a spec can
-- expect the text that it wrote: `error("no such row")` is caught as "no such row".
local function caught(fn)
  local succeeded, value = pcall(fn)
  if not succeeded and type(value) == "string" then
    value = without_location(value)
  end
  return not succeeded, value
end

local function need_callable(fn, name, level)
  if not util.callable(fn) then
    misuse.bad_type(1, name, "function or callable object", type(fn), level + 1)
  end
end

-- The message's two values: the caught error and the expected one.
local function describe(arguments, failed, value, described, expected)
  arguments[1], arguments[2], arguments.n = value, expected, 2
  arguments.nofmt = {}
  if failed and not described then
    arguments.contrasted = "values"
  end
  if not failed then
    arguments[1], arguments.nofmt[1] = "(no error)", true
  end
  if described then
    arguments[2], arguments.nofmt[2] = described, true
  end
end

local function as_expected(value, expected)
  if type(expected) == "string" and type(value) ~= "string" and util.hastostring(value) then
    -- The text of a host's error begins with its location, as that of a string raised by `error`
    -- does.
    return type(value) == "userdata" and without_location(tostring(value)) or tostring(value)
  end
  return value
end

local function equal_errors(value, expected)
  if type(expected) == "number" and type(value) == "string" then
    value = tonumber(value)
  end
  return (compare.deepcompare(expected, value, true))
end

local function has_error(state, arguments, level)
  local fn, expected = arguments[1], arguments[2]
  need_callable(fn, "error", level)
  if arguments[3] ~= nil then
    state.failure_message = arguments[3]
  end
  local failed, value = caught(fn)
  local results = table.pack(table.unpack(arguments, 1, arguments.n))
  local comparable = failed and as_expected(value, expected) or value
  results[1] = comparable
  describe(arguments, failed, value, expected == nil and "(error)" or nil, expected)
  return failed and (expected == nil or equal_errors(comparable, expected)), results
end

namespaces.provide_assertion({ "error", "errors" }, has_error, "error")

-- A pattern is searched in texts and in values with `__tostring`; plain tables never match.
local function text_of(value)
  local kind = type(value)
  if kind == "number" or kind == "boolean" or util.hastostring(value) then
    return tostring(value)
  end
end

local function error_matches(state, arguments, level)
  misuse.need(arguments, 2, "error_matches", level)
  local fn, pattern = arguments[1], arguments[2]
  need_callable(fn, "error_matches", level)
  if pattern ~= nil and type(pattern) ~= "string" then
    misuse.bad_type(2, "error", "string", type(pattern), level)
  end
  local results = table.pack(table.unpack(arguments, 1, arguments.n))
  local position = patterns.take_message(state, arguments)
  patterns.check_init(arguments, position, level)
  local init, plain = arguments[3], arguments[4]
  local failed, value = caught(fn)
  describe(arguments, failed, value, nil, pattern)
  if not failed or pattern == nil then
    results[1] = value
    if failed and value ~= nil then
      misuse.bad_type(2, "error_matches", "string", "nil", level)
    end
    return failed, failed and { n = 0 } or results
  end
  local text = text_of(value)
  local found = text and patterns.find(tostring(text), pattern, init, plain)
  results[1] = text or value
  return found and true or false, found or results
end

namespaces.provide_assertion(
  { "error_matches", "error_match", "match_error", "matches_error" }, error_matches, "error")

return true
