-- Modifiers of assertions: `is`, `are` and others only make them readable; `not` and `no` negate
-- the assertion; `message` sets the text that a failure shows first.

local namespaces = require "luassert.namespaces"

-- With `silent` and `negates`, the chain need not call the modifier to learn its effect.
for _, name in ipairs { "is", "are", "was", "has", "does", "a", "an", "the" } do
  namespaces.provide("modifier", {
    name = name,
    silent = true,
    callback = function(state)
      return state
    end,
  })
end

for _, name in ipairs { "not", "no" } do
  namespaces.provide("modifier", {
    name = name,
    negates = true,
    callback = function(state)
      state.mod = not state.mod
      return state
    end,
  })
end

namespaces.provide("modifier", {
  name = "message",
  callback = function(state, arguments)
    if not arguments then
      local misuse = require "luassert.misuse"
      misuse.raise('assert.message must be called: assert.message("…").is_true(value)')
    end
    if arguments[1] ~= nil then
      state.failure_message = arguments[1]
    end
    return state
  end,
})

return true
