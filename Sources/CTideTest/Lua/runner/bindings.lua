-- Assertions about bindings: `bound`, `runs`, `property`, `eventually`, `settles`, `no_errors`.

local namespaces = require 'luassert.namespaces'
local misuse = require 'luassert.misuse'
local compare = require 'luassert.compare'
local luassert_state = require 'luassert.state'
local util = require 'luassert.util'
local words = require 'tidelock.test.words'
local host = words.host

local function shown(value) return luassert_state.format_argument(value) end

local function listed(title, lines)
  if #lines == 0 then return '' end
  return '\n' .. title .. '\n  ' .. table.concat(lines, '\n  ')
end

local function results(arguments) return table.pack(table.unpack(arguments, 1, arguments.n)) end

-- Calls a function of the host, and attributes its error to the spec.
local function asked(level, fn, ...)
  local isGood, value, more = pcall(fn, ...)
  if not isGood then misuse.raise(tostring(value), level + 1) end
  return value, more
end

local function need_path(arguments, name, level)
  misuse.need(arguments, 2, name, level + 1)
  if type(arguments[2]) ~= 'string' then
    misuse.bad_type(2, name, 'path', type(arguments[2]), level + 1)
  end
  asked(level + 1, host.checkObject, arguments[1])
end

local function need_function(fn, name, level)
  if not util.callable(fn) then
    misuse.bad_type(1, name, 'function or callable object', type(fn), level + 1)
  end
end

-- MARK: bound

local function bound(state, arguments, level)
  need_path(arguments, 'bound', level)
  local object, path = arguments[1], arguments[2]
  local held = asked(level, host.isBound, object, path)
  if held ~= state.mod then
    local verb = held and 'Expected nothing to bind ' or 'Expected something to bind '
    local lines = host.bindingsOf(object)
    local rest = listed('Its bindings:', lines)
    if rest == '' then rest = '\nIt has no bindings.' end
    local text, own = verb .. path .. ' of ' .. tostring(object) .. rest, arguments[3]
    if own == nil then own = rawget(state, 'failure_message') end
    state.failure_message = own ~= nil and tostring(own) .. '\n' .. text or text
  end
  return held, results(arguments)
end

namespaces.provide('assertion', { name = 'bound', callback = bound })

-- MARK: runs

local function runs(state, arguments, level)
  misuse.need(arguments, 2, 'runs', level)
  local wanted = arguments[2]
  if math.type(wanted) ~= 'integer' then
    misuse.bad_type(2, 'runs', 'integer', type(wanted), level)
  end
  host.settle()
  local count, name = asked(level, host.runs, arguments[1])
  local held = count == wanted
  if held ~= state.mod then
    local function times(number) return number == 1 and 'once' or number .. ' times' end
    local text = ('Expected the binding %s%s to have run %s.\n'
      .. 'Since it was made, or asked about last, it has run:\n%s'):format(
      name, held and ' not' or '', times(wanted), times(count))
    local own = arguments[3]
    if own == nil then own = rawget(state, 'failure_message') end
    state.failure_message = own ~= nil and tostring(own) .. '\n' .. text or text
  end
  return held, results(arguments)
end

namespaces.provide('assertion', { name = 'runs', callback = runs })

-- MARK: property

local Property = {}

local function why(property)
  local isGood, causes = pcall(host.causes, property.object, property.path)
  return isGood and listed('Why it is so:', causes) or ''
end

-- Level 4 is the spec's line that calls the word.
local function value_of(property)
  local isGood, value = pcall(host.read, property.object, property.path)
  if not isGood then error(tostring(value), 4) end
  return value
end

-- Level 4 is the same line, called through the word and the check.
local function fail(property, message, text)
  if message == nil then message = rawget(property, 'message') end
  error(message ~= nil and tostring(message) .. '\n' .. text or text, 4)
end

-- As in bindings, NaN equals itself.
local function is_same(expected, value)
  if expected ~= expected and value ~= value then return true end
  return (compare.deepcompare(expected, value, true))
end

local checks = {}

function checks.is(property, expected, message)
  local value = value_of(property)
  if is_same(expected, value) then return value end
  local _, way = compare.deepcompare(expected, value, true)
  local actual, wanted, difference = require('luassert.contrast').texts(value, expected, way)
  local text = ('Expected %s to be the same.\nPassed in:\n%s\nExpected:\n%s'):format(
    property.path, actual, wanted)
  if difference then
    text = text .. require('luassert.failure').difference_title .. difference
  end
  fail(property, message, text .. why(property))
end

function checks.is_not(property, unexpected, message)
  local value = value_of(property)
  if not is_same(unexpected, value) then return value end
  fail(property, message, ('Expected %s to not be the same.\nPassed in:\n%s%s'):format(
    property.path, shown(value), why(property)))
end

function checks.exists(property, message)
  local isGood, value = pcall(host.read, property.object, property.path)
  if isGood then return value end
  fail(property, message,
    ('Expected the property %s to exist: %s'):format(property.path, tostring(value)))
end

function checks.does_not_exist(property, message)
  local isGood, value = pcall(host.read, property.object, property.path)
  if not isGood then return end
  fail(property, message, ('Expected there to be no property %s.\nPassed in:\n%s'):format(
    property.path, shown(value)))
end

local opposites = {
  is = 'is_not', is_not = 'is', exists = 'does_not_exist', does_not_exist = 'exists',
}
local aliases = { equals = 'is', not_exists = 'does_not_exist' }

function Property:__index(word)
  local name = aliases[word] or word
  local check = checks[rawget(self, 'isNegated') and opposites[name] or name]
  if not check then
    error(('assert.property(…) has no word "%s"; it has is, is_not, exists and does_not_exist')
      :format(tostring(word)), 2)
  end
  return function(...) return (check(self, ...)) end
end

-- `property` itself always passes, even when it is negated; `not` negates the checks that follow
-- it.
local function property(state, arguments, level)
  need_path(arguments, 'property', level)
  local made = setmetatable({
    object = arguments[1], path = arguments[2], isNegated = not state.mod,
    message = arguments[3] == nil and rawget(state, 'failure_message') or arguments[3],
  }, Property)
  return state.mod, { n = 1, made }
end

namespaces.provide('assertion', { name = 'property', callback = property })

-- MARK: eventually

local longest, step, shortest = 10, 0.05, 0.001

-- The time until the next timer fires, which may change something. It is exact, since sums of steps
-- would miss the deadline by rounding.
local function pause(finish)
  local now = host.now()
  local moment = host.nextDeadline()
  if not moment or moment < now + shortest then moment = now + step end
  local seconds = math.min(moment, finish) - now
  while now + seconds < moment and now + seconds < finish do
    seconds = seconds * (1 + 2^-52)
  end
  return seconds
end

-- Whether a function has neither failed nor returned nil or false. Returning no value counts as
-- success.
local function is_content(isGood, ...)
  if not isGood then return false, (...) end
  return select('#', ...) == 0 or not not (...), (...)
end

local function wait(seconds, level)
  local isGood, raised = pcall(words.api.sleep, seconds)
  if isGood then return end
  local text = tostring(raised)
  if not text:find('has to wait', 1, true) then _G.error(raised, 0) end
  misuse.raise('assert.eventually' .. text:match " has to wait.*", level + 1)
end

local function eventually(state, arguments, level)
  local fn, seconds = arguments[1], arguments[2]
  need_function(fn, 'eventually', level)
  if type(seconds) == 'string' then state.failure_message, seconds = seconds, nil end
  if arguments[3] ~= nil then state.failure_message = arguments[3] end
  seconds = seconds or longest
  if type(seconds) ~= 'number' or not (seconds >= 0 and seconds < math.huge) then
    local given = type(seconds) == 'number' and tostring(seconds) or type(seconds)
    misuse.bad_type(2, 'eventually', 'number of seconds, 0 or more', given, level)
  end
  local finish = host.now() + seconds
  local held, last
  repeat
    host.ui.draw()
    held, last = is_content(pcall(fn))
    if held or host.now() >= finish then break end
    wait(pause(finish), level)
  until false
  if held ~= state.mod then
    local own = rawget(state, 'failure_message')
    local time = ('%g second%s of the test\'s clock'):format(seconds, seconds == 1 and '' or 's')
    local text = held and ('Expected it not to become true within %s'):format(time)
      or ('Expected it to become true within %s.\nAt the end:\n%s')
        :format(time, last == nil and 'it gave nil' or words.textOf(last))
    state.failure_message = own and tostring(own) .. '\n' .. text or text
  end
  return held, results(arguments)
end

namespaces.provide('assertion', { name = 'eventually', callback = eventually })

-- MARK: settles

local most_rounds = 100

-- Cycle errors are recognized by how their text begins: an error of a script may mention cycles
-- too.
local function is_of_cycle(raised)
  local text = tostring(raised)
  return text:find('these depend on each other: ', 1, true)
    or text:find('these never settle: ', 1, true)
end

local function settles(state, arguments, level)
  local fn = arguments[1]
  need_function(fn, 'settles', level)
  if arguments[2] ~= nil then state.failure_message = arguments[2] end
  local before, cyclesBefore = #host.listed(), host.cycles()
  local isGood, raised = pcall(fn)
  local rounds = 0
  while host.settle() and rounds < most_rounds do
    rounds = rounds + 1
  end
  local cycles, latest = host.cycles()
  local trouble = cycles > cyclesBefore and latest or nil
  for _, line in ipairs(host.listed(before)) do
    local isCycle = line:sub(1, 6) == 'cycle '
    if isCycle then trouble = line:sub(7) break end
  end
  if not trouble and rounds >= most_rounds then
    trouble = 'there is always more to do: something begins anew each time, without waiting'
  end
  if not isGood then
    if trouble or is_of_cycle(raised) then
      trouble = trouble or tostring(raised)
    else
      _G.error(raised, 0)
    end
  end
  local held = not trouble
  if held ~= state.mod then
    local own = rawget(state, 'failure_message')
    local text = held and 'Expected it not to settle.' or 'Expected it to settle, but\n' .. trouble
    state.failure_message = own and tostring(own) .. '\n' .. text or text
  end
  return held, results(arguments)
end

namespaces.provide('assertion', { name = 'settles', callback = settles })

-- MARK: no_errors

-- With a function, `assert.has_no_errors(fn)` is luassert's assertion. Without one, it checks the
-- listed errors.
local function no_errors(state, arguments, level)
  if util.callable(arguments[1]) or arguments.n > 1 then
    local errors = namespaces.assertion.errors
    state.mod = not state.mod
    local held, given = errors.callback(state, arguments, level + 1)
    if (not not held) ~= state.mod then
      local key = state.mod and errors.positive_message or errors.negative_message
      local text = require 'say'(key, require('luassert.failure').format(arguments))
      local own = rawget(state, 'failure_message')
      state.failure_message = own and tostring(own) .. '\n' .. text or text
    end
    return held, given
  end
  host.settle()
  host.listMissing()
  local lines = host.errorLines()
  local held = #lines == 0
  if arguments[1] ~= nil then
    state.failure_message = tostring(arguments[1]) .. listed('Listed:', lines)
  elseif held ~= state.mod then
    local title = #lines == 1 and 'but there is 1:' or ('but there are %d:'):format(#lines)
    state.failure_message = held and 'Expected errors to be listed.'
      or 'Expected no errors to be listed, ' .. title .. '\n  ' .. table.concat(lines, '\n  ')
  end
  return held, results(arguments)
end

namespaces.provide('assertion', { name = 'no_errors', callback = no_errors })

return true
