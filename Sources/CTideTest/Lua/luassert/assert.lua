-- `assert`: Lua's own function, and the whole grammar after it.
--
--   assert(value, message)
--   assert.is_true(ready)
--   assert.are_not.same({ 1 }, list)
--   assert:register("assertion", "even", is_even, "assertion.even.positive")
--
-- The module that defines a word is loaded when the word is first used.

local namespaces = require "luassert.namespaces"
local chain = require "luassert.chain"
local say = require "say"

-- English texts are loaded on first access, because a run without failures needs none.
setmetatable(say._registry.en, {
  __index = function(texts, key)
    setmetatable(texts, nil)
    require "luassert.languages.en"
    return texts[key]
  end,
})

local assert = {
  _VERSION = "Luassert 1.9.0",
  _DESCRIPTION = "Assertions for specs, and the means to write one's own.",
}

local Level = {}

local function conclude(state, assertion, arguments, held, results)
  if (not not held) ~= state.mod then
    return require("luassert.failure").text(assertion, state, arguments)
  end
  return nil, results or arguments
end

local root = chain.root("assertion", conclude)

local function named(kind, name)
  if type(name) ~= "string" then
    local text = "assert:register(%q, name, function) needs a name, got %s"
    error(text:format(tostring(kind), type(name)), 3)
  end
  return name:lower()
end

--- Adds a word, or replaces the word of that name. `kind` is "assertion", "modifier" or "matcher";
--- the two keys belong to texts of `say`.
function assert:register(kind, name, callback, positive_message, negative_message)
  namespaces.define(kind, {
    name = named(kind, name),
    callback = callback,
    positive_message = positive_message,
    negative_message = negative_message,
  })
end

--- Removes a word.
function assert:unregister(kind, name)
  namespaces.remove(kind, named(kind, name))
end

--- A value for `assert(cond, message, level)` that determines the line to which the error is
--- attributed.
function assert:level(level)
  return setmetatable({ level = level }, Level)
end

--- The number inside a level, or nil for anything else.
function assert:get_level(level)
  return getmetatable(level) == Level and level.level or nil
end

--- Replaces each value of a list by its text in messages. `nofmt[i]` leaves a value unchanged.
function assert:format(arguments)
  if type(arguments) ~= "table" then
    error(("assert:format(arguments) needs a table, got %s"):format(type(arguments)), 2)
  end
  return require("luassert.failure").format(arguments)
end

function assert:add_formatter(formatter)
  require("luassert.state").add_formatter(formatter)
end

function assert:remove_formatter(formatter)
  require("luassert.state").remove_formatter(formatter)
end

function assert:set_parameter(name, value)
  require("luassert.state").set_parameter(name, value)
end

function assert:get_parameter(name)
  return require("luassert.state").get_parameter(name)
end

function assert:add_spy(spy)
  require("luassert.state").add_spy(spy)
end

--- Records spies, parameters and formatters; `snapshot:revert()` restores them. With a value,
--- `assert.snapshot(value)` is an assertion if the host provides one.
function assert.snapshot(...)
  local first = ...
  if rawequal(first, assert) or select("#", ...) == 0 then
    return require("luassert.state").snapshot()
  end
  return root.snapshot(...)
end

--- The empty chain.
function assert.state()
  return root
end

local Assert = {}

function Assert:__call(value, message, level, ...)
  if not value then
    if message == nil then
      message = "assertion failed!"
    end
    error(message, (assert:get_level(level) or 1) + 1)
  end
  return value, message, level, ...
end

function Assert:__index(key)
  return root[key]
end

return setmetatable(assert, Assert)
