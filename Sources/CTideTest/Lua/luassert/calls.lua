-- Which of the calls that a spy remembers fit what a spec asks for.
--
-- A remembered call is `{ vals = …, refs = … }`: the arguments as they were, and which they
-- were. A matcher in what is asked for decides by itself; `match.ref` is shown the original.

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

--- The last of the remembered calls that fits `asked`.
function calls.matchargs(remembered, asked)
  for i = #remembered, 1, -1 do
    if call_fits(remembered[i], asked) then
      return remembered[i]
    end
  end
  return nil
end

--- The first rule of a stub whose arguments, matchers among them, fit the call's.
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
