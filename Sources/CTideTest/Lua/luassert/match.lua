-- Matchers replace arguments whose exact values do not matter.
--
--   assert.spy(s).was.called_with(match.is_number(), match._)
--
-- A matcher is called with a value, and returns whether the value matches.

local chain = require "luassert.chain"

local match = {}

local Matcher = {}

function Matcher.__call(self, value)
  return (not not self.callback(value)) == self.mod
end

local function conclude(state, entry, arguments, callback)
  local matcher = {
    name = entry.name,
    arguments = arguments,
    mod = state.mod,
    callback = callback,
  }
  return nil, { setmetatable(matcher, Matcher), n = 1 }
end

local root = chain.root("matcher", conclude)

--- The matcher that matches every value.
match._ = setmetatable({
  mod = true,
  callback = function()
    return true
  end,
}, Matcher)

function match.is_matcher(value)
  return type(value) == "table" and getmetatable(value) == Matcher
end

--- Whether a matcher compares by identity and not by content.
function match.is_ref_matcher(value)
  return match.is_matcher(value) and value.name == "ref"
end

--- The empty chain.
function match.state()
  return root
end

return setmetatable(match, {
  __index = function(_, key)
    return root[key]
  end,
})
