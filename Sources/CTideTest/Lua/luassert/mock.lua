-- Mocks are tables whose functions are all spies, or all stubs.
--
--   local m = mock(service)          -- spies: the functions still run
--   local m = mock(service, true)    -- stubs: they do not
--   mock.revert(m)

local spy = require "luassert.spy"
local stub = require "luassert.stub"

local mock = {}

-- Calls `visit(table, key, value)` for every field, of inner tables too, each table once.
local function walk(object, visit, seen)
  if type(object) ~= "table" or spy.is_spy(object) or seen[object] then
    return
  end
  seen[object] = true
  local keys = {}
  for key in next, object do
    keys[#keys + 1] = key
  end
  for _, key in ipairs(keys) do
    local value = object[key]
    visit(object, key, value)
    walk(value, visit, seen)
  end
end

-- A mocked function returns one value; the default is nil.
local function new(object, stubbed, answer)
  if type(object) == "function" then
    return stubbed and stub.new({ fn = object }, "fn", answer) or spy.new(object)
  end
  walk(object, function(target, key, value)
    if type(value) == "function" then
      if stubbed then
        stub.new(target, key, answer)
      else
        spy.on(target, key)
      end
    end
  end, {})
  return object
end

--- Replaces the functions in a table by spies, or by stubs that return the value passed last.
function mock.new(...)
  return new(...)
end

local function each_spy(object, act)
  if spy.is_spy(object) then
    act(object)
  end
  walk(object, function(_, _, value)
    if spy.is_spy(value) then
      act(value)
    end
  end, {})
  return object
end

--- Forgets all calls.
function mock.clear(object)
  return each_spy(object, function(found)
    found:clear()
  end)
end

--- Restores the functions.
function mock.revert(object)
  return each_spy(object, function(found)
    found:revert()
  end)
end

return setmetatable(mock, {
  __call = function(_, ...)
    return new(...)
  end,
})
