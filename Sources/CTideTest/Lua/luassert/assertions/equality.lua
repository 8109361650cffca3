-- `equal`, `same`, `unique`, `near`: how values compare.
--
-- `holds` decides simple cases without lists; if it returns nil, the callback decides.

local namespaces = require "luassert.namespaces"
local compare = require "luassert.compare"
local misuse = require "luassert.misuse"

local function note(state, message)
  if message ~= nil then
    state.failure_message = message
  end
end

-- Messages show the second argument first, because it is the value passed in.
local function swapped(arguments)
  arguments[1], arguments[2] = arguments[2], arguments[1]
end

local function results(arguments)
  return table.pack(table.unpack(arguments, 1, arguments.n))
end

local function equals(state, arguments, level)
  misuse.need(arguments, 2, "equals", level)
  note(state, arguments[3])
  local given = results(arguments)
  local held = arguments[1] == arguments[2]
  swapped(arguments)
  arguments.contrasted = "values"
  return held, given
end

local function equals_holds(...)
  if select("#", ...) > 1 then
    local a, b = ...
    return a == b
  end
end

for _, name in ipairs { "equals", "equal" } do
  namespaces.provide("assertion", {
    name = name,
    callback = equals,
    holds = equals_holds,
    positive_message = "assertion.equals.positive",
    negative_message = "assertion.equals.negative",
  })
end

local function same(state, arguments, level)
  misuse.need(arguments, 2, "same", level)
  note(state, arguments[3])
  local given = results(arguments)
  local a, b = arguments[1], arguments[2]
  local held, way = compare.deepcompare(a, b, true)
  swapped(arguments)
  arguments.contrasted = "values"
  if way then
    arguments.fmtargs = { { crumbs = way }, { crumbs = way } }
  end
  return held, given
end

namespaces.provide("assertion", {
  name = "same",
  callback = same,
  holds = function(...)
    if select("#", ...) > 1 then
      local a, b = ...
      return (compare.deepcompare(a, b, true))
    end
  end,
  positive_message = "assertion.same.positive",
  negative_message = "assertion.same.negative",
})

-- `unique(list, deep, message)`, or `unique(list, message, deep)` in the order of older versions.
local function unique(state, arguments, level)
  local list, deep, message = arguments[1], arguments[2], arguments[3]
  if type(deep) ~= "boolean" and deep ~= nil then
    deep, message = message, deep
  end
  local contents = require("luassert.util").contents_of(list)
  if not contents then
    misuse.bad_type(1, "unique", "table", type(list), level)
  end
  note(state, message)
  return compare.unique(contents, deep == true), results(arguments)
end

namespaces.provide_assertion({ "unique" }, unique, "unique")

local function near(state, arguments, level)
  misuse.need(arguments, 3, "near", level)
  note(state, arguments[4])
  local given, numbers = results(arguments), {}
  for i = 1, 3 do
    numbers[i] = tonumber(arguments[i])
    if not numbers[i] then
      local got = require("luassert.state").format_argument(arguments[i])
      misuse.bad_type(i, "near", "number or object convertible to a number", got, level)
    end
  end
  local expected, actual, tolerance = table.unpack(numbers)
  swapped(arguments)
  arguments[3] = tolerance
  arguments.nofmt = { [3] = true }
  return actual >= expected - tolerance and actual <= expected + tolerance, given
end

namespaces.provide_assertion({ "near" }, near, "near")

return true
