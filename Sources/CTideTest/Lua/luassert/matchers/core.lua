-- Matchers for single values. Each has the name of the corresponding assertion.

local namespaces = require "luassert.namespaces"
local compare = require "luassert.compare"
local misuse = require "luassert.misuse"
local util = require "luassert.util"

local function define(name, make)
  namespaces.provide("matcher", { name = name, callback = make })
end

for _, kind in ipairs {
  "nil", "boolean", "number", "string", "table", "function", "userdata", "thread",
} do
  define(kind, function()
    return function(value)
      return type(value) == kind
    end
  end)
end

for name, expected in next, { ["true"] = true, ["false"] = false } do
  define(name, function()
    return function(value)
      return value == expected
    end
  end)
end

for name, expected in next, { truthy = true, falsy = false } do
  define(name, function()
    return function(value)
      return (not not value) == expected
    end
  end)
end

for _, name in ipairs { "equals", "equal" } do
  define(name, function(_, arguments, level)
    misuse.need(arguments, 1, "equals", level)
    return function(value)
      return value == arguments[1]
    end
  end)
end

define("same", function(_, arguments, level)
  misuse.need(arguments, 1, "same", level)
  return function(value)
    return (compare.deepcompare(value, arguments[1], true))
  end
end)

define("unique", function(_, arguments)
  return function(value)
    local contents = util.contents_of(value)
    return contents ~= nil and compare.unique(contents, arguments[1])
  end
end)

define("ref", function(_, arguments, level)
  misuse.need(arguments, 1, "ref", level)
  local object = arguments[1]
  local kind = type(object)
  if kind ~= "table" and kind ~= "function" and kind ~= "thread" and kind ~= "userdata" then
    misuse.bad_type(1, "ref", "object", kind, level)
  end
  return function(value)
    return value == object
  end
end)

define("near", function(_, arguments, level)
  misuse.need(arguments, 2, "near", level)
  for i = 1, 2 do
    if not tonumber(arguments[i]) then
      local got = require("luassert.state").format_argument(arguments[i])
      misuse.bad_type(i, "near", "number or object convertible to a number", got, level)
    end
  end
  local expected, tolerance = tonumber(arguments[1]), tonumber(arguments[2])
  return function(value)
    local actual = tonumber(value)
    return actual and actual >= expected - tolerance and actual <= expected + tolerance
  end
end)

for _, name in ipairs { "matches", "match" } do
  define(name, function(_, arguments, level)
    misuse.need(arguments, 1, "matches", level)
    local pattern, init, plain = arguments[1], arguments[2], arguments[3]
    if type(pattern) ~= "string" then
      misuse.bad_type(1, "matches", "string", type(pattern), level)
    end
    if init ~= nil and not tonumber(init) then
      misuse.bad_type(2, "matches", "number", type(init), level)
    end
    return function(value)
      if not (util.hastostring(value) or type(value) == "number") then
        return false
      end
      return tostring(value):find(pattern, init, plain) ~= nil
    end
  end)
end

return true
