-- What a failed assertion says: the spec's own message, then the assertion's text with
-- its arguments filled in.

local say = require "say"
local state = require "luassert.state"
local hastostring = require("luassert.util").hastostring

local failure = {}

--- Replaces each argument by its text, in place.
function failure.format(arguments)
  local nofmt, fmtargs = arguments.nofmt, arguments.fmtargs
  for i = 1, arguments.n or #arguments do
    if not (nofmt and nofmt[i]) then
      arguments[i] = state.format_argument(arguments[i], fmtargs and fmtargs[i])
    end
  end
  return arguments
end

local function own_message(message)
  if message == nil then
    return nil
  end
  return hastostring(message) and tostring(message) or state.format_argument(message)
end

--- The whole text of a failure.
function failure.text(assertion, chain, arguments)
  local key = chain.mod and assertion.positive_message or assertion.negative_message
  local text = key and say(key, failure.format(arguments))
  if text and chain.mod and arguments.difference then
    text = text .. "\nThe difference, from what was expected (-) to what was passed in (+):\n"
      .. arguments.difference()
  end
  local message = own_message(rawget(chain, "failure_message"))
  if message and text then
    return message .. "\n" .. text
  end
  return message or text or "assertion failed!"
end

return failure
