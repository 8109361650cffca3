-- English texts of failed assertions. Texts that a spec has already set stay.
--
-- The module returns a function with which other languages set their texts.

local say = require "say"

-- Returns a function that sets the two texts of an assertion, and one for any other text.
local function language(name)
  say._registry[name] = say._registry[name] or {}
  local texts = say._registry[name]

  local function one(key, text)
    if texts[key] == nil then
      texts[key] = text
    end
  end

  local function both(key, positive, negative)
    one(("assertion.%s.positive"):format(key), positive)
    one(("assertion.%s.negative"):format(key), negative)
  end

  return both, one
end

local both, one = language "en"

both(
  "same",
  "Expected objects to be the same.\nPassed in:\n%s\nExpected:\n%s",
  "Expected objects to not be the same.\nPassed in:\n%s\nDid not expect:\n%s"
)
both(
  "equals",
  "Expected objects to be equal.\nPassed in:\n%s\nExpected:\n%s",
  "Expected objects to not be equal.\nPassed in:\n%s\nDid not expect:\n%s"
)
both(
  "near",
  "Expected values to be near.\nPassed in:\n%s\nExpected:\n%s +/- %s",
  "Expected values to not be near.\nPassed in:\n%s\nDid not expect:\n%s +/- %s"
)
both("unique", "Expected object to be unique:\n%s", "Expected object to not be unique:\n%s")
both(
  "error",
  "Expected a different error.\nCaught:\n%s\nExpected:\n%s",
  "Expected no error, but caught:\n%s"
)
both(
  "truthy",
  "Expected to be truthy, but value was:\n%s",
  "Expected to not be truthy, but value was:\n%s"
)
both(
  "falsy",
  "Expected to be falsy, but value was:\n%s",
  "Expected to not be falsy, but value was:\n%s"
)
both(
  "matches",
  "Expected strings to match.\nPassed in:\n%s\nExpected:\n%s",
  "Expected strings not to match.\nPassed in:\n%s\nDid not expect:\n%s"
)
both(
  "array_holes",
  "Expected array to have holes, but none was found.\n",
  "Expected array to not have holes, hole found at position: %s\n"
)
both(
  "called",
  "Expected to be called %s time(s), but was called %s time(s)",
  "Expected not to be called exactly %s time(s), but it was."
)
both("called_at_least", "Expected to be called at least %s time(s), but was called %s time(s)")
both("called_at_most", "Expected to be called at most %s time(s), but was called %s time(s)")
both("called_more_than", "Expected to be called more than %s time(s), but was called %s time(s)")
both("called_less_than", "Expected to be called less than %s time(s), but was called %s time(s)")
both(
  "called_with",
  "Function was never called with matching arguments.\n"
    .. "Called with (last call if any):\n%s\nExpected:\n%s",
  "Function was called with matching arguments at least once.\n"
    .. "Called with (last matching call):\n%s\nDid not expect:\n%s"
)
both(
  "returned_with",
  "Function never returned matching arguments.\n"
    .. "Returned (last call if any):\n%s\nExpected:\n%s",
  "Function returned matching arguments at least once.\n"
    .. "Returned (last matching call):\n%s\nDid not expect:\n%s"
)
both(
  "returned_arguments",
  "Expected to be called with %s argument(s), but was called with %s",
  "Expected not to be called with %s argument(s), but was called with %s"
)

one(
  "assertion.internal.argtolittle",
  "the '%s' function requires a minimum of %s arguments, got: %s"
)
one("assertion.internal.badargtype", "bad argument #%s to '%s' (%s expected, got %s)")

return language
