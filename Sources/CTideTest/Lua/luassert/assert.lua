-- `assert`: Lua's own function, and the whole grammar after it.
--
--   assert(value, message)
--   assert.is_true(ready)
--   assert.are_not.same({ 1 }, list)
--   assert:register("assertion", "even", is_even, "assertion.even.positive")
--
-- Each module behind a word is loaded when the word is first used.

local namespaces = require "luassert.namespaces"
local chain = require "luassert.chain"
local say = require "say"

-- English texts are loaded when one is first read: a run in which nothing fails needs none.
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

--- Adds a word: `kind` is "assertion", "modifier" or "matcher"; the two keys are of texts
--- that `say` knows. A word that is there already is replaced.
function assert:register(kind, name, callback, positive_message, negative_message)
  namespaces.define(kind, {
    name = named(kind, name),
    callback = callback,
    positive_message = positive_message,
    negative_message = negative_message,
  })
end

--- Takes a word away.
function assert:unregister(kind, name)
  namespaces.remove(kind, named(kind, name))
end

--- A value that, given to `assert(cond, message, level)`, says whose line the error is of.
function assert:level(level)
  return setmetatable({ level = level }, Level)
end

--- The number inside a level, or nil for anything else.
function assert:get_level(level)
  return getmetatable(level) == Level and level.level or nil
end

--- Replaces each value of a list by its text in messages. `nofmt[i]` keeps one as it is.
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

--- Remembers spies, parameters and formatters; `snapshot:revert()` brings them back. Called with a
--- value, `assert.snapshot(value)`, it is an assertion, where the host has one.
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
