-- `returned_arguments(count, fn())`: whether a call returned this number of values.

local namespaces = require "luassert.namespaces"

namespaces.provide_assertion({ "returned_arguments" }, function(_, arguments)
  local given = table.pack(table.unpack(arguments, 1, arguments.n))
  local count = arguments.n - 1
  local expected = arguments[1]
  arguments[1], arguments[2], arguments.n = tostring(expected), tostring(count), 2
  arguments.nofmt = { true, true }
  return tonumber(expected) == count, given
end, "returned_arguments")

return true
