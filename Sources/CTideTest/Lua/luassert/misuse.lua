-- Errors for wrong calls of assertions and matchers. They are raised at the spec's line, because
-- callbacks receive the level of their caller. They are failures like that of `assert(false, …)`,
-- which a runner distinguishes from other errors.

local assert = require "luassert.assert"
local say = require "say"

local misuse = {}

--- Raises an error at the level that the calling callback has received.
function misuse.raise(text, level)
  assert(false, text, assert:level((level or 2) + 2))
end

--- Raises an error unless there are enough arguments.
function misuse.need(arguments, least, name, level)
  if arguments.n < least then
    local text = say("assertion.internal.argtolittle", { name, least, arguments.n })
    assert(false, text, assert:level(level + 2))
  end
end

--- Raises an error about an argument of the wrong type.
function misuse.bad_type(position, name, expected, got, level)
  local text = say("assertion.internal.badargtype", { position, name, expected, got })
  assert(false, text, assert:level(level + 2))
end

return misuse
