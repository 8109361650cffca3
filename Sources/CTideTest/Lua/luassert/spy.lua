-- Spies are functions that record their calls and results.
--
--   local s = spy.on(account, "withdraw")
--   account.withdraw(10)
--   assert.spy(s).was.called_with(10)
--   s:revert()

local util = require "luassert.util"
local arguments = require "luassert.arguments"

local spy = {}

local Spy = {}

local function remember(self, ...)
  table.insert(self.returnvals, arguments.copyargs(arguments.make_arglist(...)))
  return ...
end

function Spy.__call(self, ...)
  table.insert(self.calls, arguments.copyargs(arguments.make_arglist(...)))
  -- As arguments, the results pass through without a list.
  return remember(self, self.callback(...))
end

local function clear(self)
  self.calls, self.returnvals = {}, {}
  return self
end

-- Whether the number of calls is as expected: any, exactly `times`, or accepted by `holds`.
local function called(self, times, holds)
  local count = #self.calls
  if holds then
    return holds(count, times), count
  end
  if times == nil then
    return count > 0, count
  end
  return count == times, count
end

-- The recorded list that matches, or else the last one, which the failure shows.
local function fitting(list, asked)
  local found = util.matchargs(list, asked)
  if found then
    return true, found.vals
  end
  local last = list[#list]
  return false, last and last.vals
end

local function called_with(self, asked)
  return fitting(self.calls, asked)
end

local function returned_with(self, asked)
  return fitting(self.returnvals, asked)
end

-- The value that each spy replaced. It is stored outside of the spy, because messages show the
-- spy's fields.
local origins = setmetatable({}, { __mode = "k" })

-- Restores the replaced value. A key that was absent, or inherited from a metatable, is removed,
-- because writing the value that was read would leave the key in the table.
local function revert(self)
  local origin = origins[self]
  if not self.reverted then
    self.reverted = true
    local target, key = self.target_table, self.target_key
    if target ~= nil then
      if origin.missing then
        rawset(target, key, nil)
      else
        target[key] = origin.value
      end
    end
  end
  return origin.value
end

local function noop() end

local function new(callback, level)
  if callback == nil then
    callback = noop
  end
  if not util.callable(callback) then
    local text = "Cannot spy on type '%s', only on functions or callable elements"
    error(text:format(type(callback)), level + 1)
  end
  local made = setmetatable({
    callback = callback,
    calls = {},
    returnvals = {},
    clear = clear,
    called = called,
    called_with = called_with,
    returned_with = returned_with,
    revert = revert,
  }, Spy)
  origins[made] = { value = callback }
  require("luassert.state").add_spy(made)
  return made
end

--- Replaces `target[key]`, whose value is `original`, by a spy.
function spy.install(made, target, key, original)
  local raw = type(target) == "table"
  local missing = raw and rawget(target, key) == nil
  made.target_table, made.target_key = target, key
  target[key] = made
  origins[made] = {
    value = original,
    missing = missing and rawequal(rawget(target, key), made),
  }
  return made
end

--- Makes a spy that calls a function, or that only records its calls.
function spy.new(callback)
  local made = new(callback, 2)
  return made
end

--- Replaces `target[key]` by a spy.
function spy.on(target, key)
  if type(target) ~= "table" and type(target) ~= "userdata" then
    local text = "spy.on(table, key) needs a table, got %s"
    error(text:format(type(target)), 2)
  elseif key == nil then
    error("spy.on(table, key) needs a key, got nil", 2)
  end
  local made = new(target[key], 2)
  return spy.install(made, target, key, made.callback)
end

--- Whether a value is a spy. Stubs are spies too.
function spy.is_spy(value)
  return type(value) == "table" and getmetatable(value) == Spy
end

return setmetatable(spy, {
  __call = function(_, callback)
    local made = new(callback, 2)
    return made
  end,
})
