-- What is said to a spec that calls an assertion or a matcher wrongly. All raise at the
-- spec's line: callbacks are called with the level of their caller. They are failures as
-- `assert(false, …)` is one, which a runner tells from other errors.

local assert = require "luassert.assert"
local say = require "say"

local misuse = {}

--- Raises at the caller of the callback's caller, for the level that a callback is given.
function misuse.raise(text, level)
  assert(false, text, assert:level((level or 2) + 2))
end

--- Raises unless there are enough arguments.
function misuse.need(arguments, least, name, level)
  if arguments.n < least then
    local text = say("assertion.internal.argtolittle", { name, least, arguments.n })
    assert(false, text, assert:level(level + 2))
  end
end

--- Raises about an argument of the wrong type.
function misuse.bad_type(position, name, expected, got, level)
  local text = say("assertion.internal.badargtype", { position, name, expected, got })
  assert(false, text, assert:level(level + 2))
end

return misuse
