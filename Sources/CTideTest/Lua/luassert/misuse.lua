-- What is said to a spec that calls an assertion or a matcher wrongly. All raise at the
-- spec's line: callbacks are called with the level of their caller.

local say = require "say"

local misuse = {}

--- Raises unless there are enough arguments.
function misuse.need(arguments, least, name, level)
  if arguments.n < least then
    error(say("assertion.internal.argtolittle", { name, least, arguments.n }), level + 2)
  end
end

--- Raises about an argument of the wrong type.
function misuse.bad_type(position, name, expected, got, level)
  error(say("assertion.internal.badargtype", { position, name, expected, got }), level + 2)
end

return misuse
