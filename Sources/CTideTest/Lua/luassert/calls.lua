-- Finds recorded calls of a spy that match expected arguments.
--
-- A recorded call is `{ vals = …, refs = … }`: copies of the arguments, and the arguments
-- themselves. A matcher among the expected arguments decides whether a value matches; `match.ref`
-- receives the original.

local compare = require "luassert.compare"
local match = require "luassert.match"

local calls = {}

local function fits(matcher, call, position)
  local list = match.is_ref_matcher(matcher) and call.refs or call.vals
  return matcher(list[position])
end

local function call_fits(call, asked)
  if call.vals.n ~= asked.n then
    return false
  end
  for i = 1, asked.n do
    local wanted = asked[i]
    local fit
    if match.is_matcher(wanted) then
      fit = fits(wanted, call, i)
    else
      local value = call.vals[i]
      fit = rawequal(value, wanted) or compare.deepcompare(value, wanted)
    end
    if not fit then
      return false
    end
  end
  return true
end

--- The last recorded call that matches `asked`.
function calls.matchargs(remembered, asked)
  for i = #remembered, 1, -1 do
    if call_fits(remembered[i], asked) then
      return remembered[i]
    end
  end
  return nil
end

--- The first rule of a stub whose arguments, which may be matchers, match those of the call.
function calls.matchoncalls(rules, given)
  local call = { vals = given, refs = given }
  for _, rule in ipairs(rules) do
    local asked = { n = rule.vals.n }
    for i = 1, rule.vals.n do
      local original = rule.refs[i]
      asked[i] = match.is_matcher(original) and original or rule.vals[i]
    end
    if call_fits(call, asked) then
      return rule
    end
  end
  return nil
end

return calls
