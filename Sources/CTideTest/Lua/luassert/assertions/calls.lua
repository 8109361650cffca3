-- `assert.spy(s).was.called(2)` and similar assertions about the calls of a spy or a stub.

local namespaces = require "luassert.namespaces"
local arguments = require "luassert.arguments"
local misuse = require "luassert.misuse"

-- `assert.spy(s, message)`: sets the spy for the rest of the chain.
for _, name in ipairs { "spy", "stub" } do
  namespaces.provide("modifier", {
    name = name,
    callback = function(state, given)
      if not given then
        misuse.raise(("assert.%s must be called with a spy: assert.%s(s)"):format(name, name))
      end
      state.payload = given[1]
      if given[2] ~= nil then
        state.failure_message = given[2]
      end
      return state
    end,
  })
end

-- Any value with the methods of a spy is one, so that a library can bring its own.
local function spied(state, name, level)
  local payload = rawget(state, "payload")
  if type(payload) == "function" then
    local text = "When calling 'spy(aspy)', 'aspy' must not be the original function, "
      .. "but the spy function replacing the original"
    error(text, level + 2)
  end
  if type(payload) ~= "table" or not payload[name] then
    error(("'%s' must be chained after 'spy(aspy)'"):format(name), level + 2)
  end
  return payload
end

local function count_message(given, expected, count)
  local results = table.pack(table.unpack(given, 1, given.n))
  given[1], given[2], given.n = tostring(expected), tostring(count), 2
  given.nofmt = { true, true }
  return results
end

local function called(state, given, level)
  local payload, times = spied(state, "called", level), given[1]
  if times == nil and not state.mod then
    -- "was not called" means "was called 0 times", and its failure is worded so.
    state.mod, times = true, 0
  end
  local held, count = payload:called(times)
  return held, count_message(given, times == nil and ">0" or times, count)
end

namespaces.provide_assertion({ "called" }, called, "called")

-- Each bound, and the one that is its negation: not at least 2 means less than 2.
local bounds = {
  called_at_least = { "called_less_than", function(count, bound) return count >= bound end },
  called_at_most = { "called_more_than", function(count, bound) return count <= bound end },
  called_more_than = { "called_at_most", function(count, bound) return count > bound end },
  called_less_than = { "called_at_least", function(count, bound) return count < bound end },
}

for name, bound in next, bounds do
  local opposite, holds = bound[1], bound[2]
  namespaces.provide("assertion", {
    name = name,
    callback = function(state, given, level)
      local payload, times = spied(state, "called", level), given[1]
      local held, count = payload:called(times, holds)
      return held, count_message(given, times, count)
    end,
    positive_message = "assertion." .. name .. ".positive",
    negative_message = "assertion." .. opposite .. ".positive",
  })
end

for _, name in ipairs { "called_with", "returned_with" } do
  namespaces.provide_assertion({ name }, function(state, given, level)
    local payload = spied(state, name, level)
    local asked = arguments.make_arglist(table.unpack(given, 1, given.n))
    local held, shown = payload[name](payload, asked)
    given[1], given[2], given.n = shown, asked, 2
    given.contrasted = "lists"
    return held, asked
  end, name)
end

return true
