-- `is_true`, `is_string`, `truthy` and others: assertions about a single value.

local namespaces = require "luassert.namespaces"
local misuse = require "luassert.misuse"

-- Makes the expected value the second argument, for the message. A message of the spec in its place
-- becomes the failure message.
local function expecting(state, arguments, expected, formatted)
  if arguments[2] ~= nil then
    state.failure_message = arguments[2]
  end
  local given = table.pack(table.unpack(arguments, 1, arguments.n))
  arguments[2] = expected
  arguments.n = 2
  if not formatted then
    arguments.nofmt = { [2] = true }
  end
  return given
end

for name, expected in next, { ["true"] = true, ["false"] = false } do
  namespaces.provide("assertion", {
    name = name,
    callback = function(state, arguments)
      local given = expecting(state, arguments, expected, true)
      return arguments[1] == expected, given
    end,
    holds = function(value)
      return value == expected
    end,
    positive_message = "assertion.same.positive",
    negative_message = "assertion.same.negative",
  })
end

for _, kind in ipairs {
  "nil", "boolean", "number", "string", "table", "function", "userdata", "thread",
} do
  namespaces.provide("assertion", {
    name = kind,
    callback = function(state, arguments)
      local given = expecting(state, arguments, "type " .. kind, false)
      return type(arguments[1]) == kind, given
    end,
    holds = function(value)
      return type(value) == kind
    end,
    positive_message = "assertion.same.positive",
    negative_message = "assertion.same.negative",
  })
end

for name, expected in next, { truthy = true, falsy = false } do
  namespaces.provide("assertion", {
    name = name,
    callback = function(state, arguments, level)
      misuse.need(arguments, 1, name, level)
      if arguments[2] ~= nil then
        state.failure_message = arguments[2]
      end
      return (not not arguments[1]) == expected, arguments
    end,
    holds = function(...)
      if select("#", ...) > 0 then
        return (not not (...)) == expected
      end
    end,
    positive_message = "assertion." .. name .. ".positive",
    negative_message = "assertion." .. name .. ".negative",
  })
end

return true
