-- `returned_arguments(count, fn())`: how many values a call gave.

local namespaces = require "luassert.namespaces"

namespaces.provide("assertion", {
  name = "returned_arguments",
  callback = function(_, arguments)
    local given = table.pack(table.unpack(arguments, 1, arguments.n))
    local count = arguments.n - 1
    local expected = arguments[1]
    arguments[1], arguments[2], arguments.n = tostring(expected), tostring(count), 2
    arguments.nofmt = { true, true }
    return tonumber(expected) == count, given
  end,
  positive_message = "assertion.returned_arguments.positive",
  negative_message = "assertion.returned_arguments.negative",
})

return true
