-- `assert.array(list).has.no.holes()`: whether a list has nils in the middle.

local namespaces = require "luassert.namespaces"
local misuse = require "luassert.misuse"
local util = require "luassert.util"

namespaces.provide("modifier", {
  name = "array",
  callback = function(state, arguments)
    local list = arguments and arguments[1]
    if list == nil then
      misuse.raise("No array provided to the array-modifier")
    end
    if rawget(state, "__array_state") then
      misuse.raise("Array already set")
    end
    state.__array_state = list
    return state
  end,
})

local function length_of(list)
  local length = 0
  for key in next, list do
    if math.type(key) == "integer" and key > length then
      length = key
    end
  end
  return length
end

namespaces.provide("assertion", {
  name = "holes",
  callback = function(state, arguments, level)
    local list = rawget(state, "__array_state")
    if list == nil then
      local text = "No array set, please use the array modifier to set the array to validate"
      misuse.raise(text, level)
    end
    local contents = util.contents_of(list)
    if not contents then
      misuse.raise(("the array modifier expected a table, got: %s"):format(type(list)), level)
    end
    local length = arguments[1]
    if length ~= nil and type(length) ~= "number" then
      local text = "expected array length to be of type 'number', got: %s"
      misuse.raise(text:format(tostring(length)), level)
    end
    for i = 1, length or length_of(contents) do
      if contents[i] == nil then
        arguments[1], arguments.n = i, 1
        return true, { i, n = 1 }
      end
    end
    return false, { n = 0 }
  end,
  positive_message = "assertion.array_holes.positive",
  negative_message = "assertion.array_holes.negative",
})

return true
