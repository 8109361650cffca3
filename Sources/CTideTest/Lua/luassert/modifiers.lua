-- The words between: `is`, `are`, … read well and do nothing; `not` and `no` turn an
-- assertion round; `message` gives what a failure says first.

local namespaces = require "luassert.namespaces"

-- `silent` and `negates` tell the chain what it need not call to find out.
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
