-- Stubs are spies that replace a function and do not call it.
--
--   local s = stub(service, "fetch").returns(nil)
--   s.on_call_with("/users").returns({ "Ada" })
--
-- A stub's settings are functions of its own, called with a dot.

local util = require "luassert.util"
local arguments = require "luassert.arguments"
local misuse = require "luassert.misuse"
local spy = require "luassert.spy"

local stub = {}

local function returning(...)
  local values = table.pack(...)
  return function()
    return table.unpack(values, 1, values.n)
  end
end

-- A stub's default answer, used if no rule matches: given values, or the results of a single
-- function.
local function default_answer(...)
  if select("#", ...) == 1 and util.callable((...)) then
    return (...)
  end
  return returning(...)
end

local function check(target, key)
  if type(target) ~= "table" and type(target) ~= "userdata" or key == nil then
    local text = "stub.new(): Can only create stub on a table key, call with 2 params; table, key"
    misuse.raise(text, 3)
  end
  local original = target[key]
  if original ~= nil and not util.callable(original) then
    local text = "stub.new(): The element for which to create a stub must either be callable, "
      .. "or be nil"
    misuse.raise(text, 3)
  end
  return original
end

-- Makes the `settings` of one answer: `returns(…)` and `invokes(fn)`. Both return the stub.
local function settings(made, set)
  return {
    returns = function(...)
      set(returning(...))
      return made
    end,
    invokes = function(fn)
      set(function(...)
        return fn(...)
      end)
      return made
    end,
  }
end

local function new(target, key, ...)
  if target == nil and key == nil then
    target, key = {}, ""
  end
  local original = check(target, key)
  local answer = default_answer(...)
  local rules = {}

  local made = spy.new(function(...)
    local rule = rules[1] and util.matchoncalls(rules, arguments.make_arglist(...))
    return (rule and rule.answer or answer)(...)
  end)
  spy.install(made, target, key, original)

  local default = settings(made, function(given)
    answer = given
  end)
  made.by_default = default
  made.returns, made.invokes = default.returns, default.invokes

  function made.on_call_with(...)
    local rule = arguments.copyargs(arguments.make_arglist(...))
    return settings(made, function(given)
      rule.answer = given
      if not rule.added then
        rule.added = true
        table.insert(rules, rule)
      end
    end)
  end

  return made
end

--- Replaces `target[key]` by a stub that returns the remaining arguments.
function stub.new(...)
  local made = new(...)
  return made
end

return setmetatable(stub, {
  __call = function(_, ...)
    local made = new(...)
    return made
  end,
})
