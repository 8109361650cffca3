-- Composes the text of a failed assertion: the spec's own message, then the assertion's text with
-- its arguments filled in.

local say = require "say"
local state = require "luassert.state"
local hastostring = require("luassert.util").hastostring

local failure = {
  difference_title = "\nThe difference, from what was expected (-) to what was passed in (+):\n",
}

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

-- The texts of an assertion about two values; the first is the value passed in.
local function contrasted(arguments)
  local contrast = require "luassert.contrast"
  local difference
  if arguments.contrasted == "lists" then
    arguments[1], arguments[2], difference = contrast.lists(arguments[1], arguments[2])
  else
    local details = arguments.fmtargs and arguments.fmtargs[1]
    arguments[1], arguments[2], difference =
      contrast.texts(arguments[1], arguments[2], details and details.crumbs)
  end
  arguments.nofmt = { true, true }
  return difference
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
  local difference = key and arguments.contrasted and contrasted(arguments)
  local text = key and say(key, failure.format(arguments))
  if text and difference and chain.mod then
    text = text .. failure.difference_title .. difference
  end
  local message = own_message(rawget(chain, "failure_message"))
  if message and text then
    return message .. "\n" .. text
  end
  return message or text or "assertion failed!"
end

return failure
