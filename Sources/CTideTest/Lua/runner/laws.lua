-- `forall(generator…, fn)` tests a law with many random values. A counter-example is shrunk.
--
--   forall(gen.string(), function(text) assert.equal(text, text:reverse():reverse()) end)

local choices = require 'tidelock.test.choices'
local gen = require 'tidelock.test.generators'
local words = require 'tidelock.test.words'
local host, settings = words.host, words.settings

local laws = {}
local runs, most_shrinks, most_refused = 100, 2000, 10
local show = function(value) return require('luassert.state').format_argument(value) end

-- The values of the running test of a law, for the message if the function is stopped.
local tried

local function list_of(values)
  local lines = {}
  for index = 1, values.n do
    lines[index] = '  ' .. show(values[index])
  end
  return table.concat(lines, '\n')
end

local function how_to_repeat()
  return ('The seed is %d: --seed %d repeats it.'):format(settings.seed, settings.seed)
end

function words.whatWasTried()
  local values = tried
  tried = nil
  if not values then return end
  return '\nwhile a law was tried with\n' .. list_of(values) .. '\n' .. how_to_repeat()
end

-- Checks options by name; an unknown one is an error.
local function check_options(options, known, word, fail)
  for key in next, options do
    if not known[key] then
      local names = {}
      for name in next, known do
        names[#names + 1] = name
      end
      fail(('%s has no option "%s"%s'):format(word, tostring(key), host.hint(tostring(key), names)))
    end
  end
  local count = options.runs
  if count ~= nil and (math.type(count) ~= 'integer' or count < 1) then
    fail(word .. ': runs is a whole number, 1 or more')
  end
end
laws.check_options = check_options

-- MARK: Running

local Law = {}
Law.__index = Law

-- Draws the values. Returns false and the error if a generator failed.
function Law:values(source)
  local values = { n = #self.generators }
  local isGood, raised = pcall(function()
    for index, generator in ipairs(self.generators) do
      values[index] = generator.draw(source)
    end
  end)
  if isGood then return values end
  return false, raised
end

-- Whether the law fails, and the reason.
function Law:fails(values)
  tried = values
  local given = self:copy(values)
  local isGood, result = self.run(self.fn, given)
  tried = nil
  if not isGood then return true, result end
  return result == false, 'it gave false'
end

local function copied(value, seen)
  if type(value) ~= 'table' or getmetatable(value) then return value end
  if seen[value] then return seen[value] end
  local copy = {}
  seen[value] = copy
  for key, each in next, value do
    copy[copied(key, seen)] = copied(each, seen)
  end
  return copy
end

-- Copies the values, since the message must not show changes that the function makes to its tables.
function Law:copy(values)
  local copies = { n = values.n }
  for index = 1, values.n do
    copies[index] = copied(values[index], {})
  end
  return copies
end

-- A test that asks to be skipped has not failed.
local function is_passing_on(value)
  return words.kind(value) == 'pending'
end

function Law:shrink(first)
  local values, failure
  local function fails(sequence)
    -- For a slow law, reporting a large counter-example in time is better than shrinking it.
    if host.monotime() > self.deadline then return end
    local source = choices.replay(sequence)
    local drawn = self:values(source)
    if not drawn then return end
    local does, why = self:fails(drawn)
    if not does or is_passing_on(why) then return end
    values, failure = drawn, why
    return source.drawn
  end
  local _, steps = choices.shrink(first, fails, most_shrinks)
  return values, failure, steps
end

-- Raises a failure at a line: level 2 is the caller of the function that calls this.
local function stop(level, text)
  local assert = require 'luassert.assert'
  assert(false, text, assert:level(level + 1))
end

--- Tests the law. Returns the message of its failure, or nil.
function Law:try()
  local random = choices.stream(self.seed)
  local refused, done = 0, 0
  while done < self.runs do
    local source = choices.random_source(random)
    local values, raised = self:values(source)
    if values then
      done = done + 1
      local fails, why = self:fails(values)
      if fails and is_passing_on(why) then _G.error(why, 0) end
      if fails then return self:tell(done, values, why, source.drawn) end
    elseif gen.is_refused(raised) or raised == choices.exhausted then
      refused = refused + 1
      if refused > most_refused + done then
        return ('The generators gave too few values: %s.'):format(tostring(raised))
      end
    else
      return ('A generator failed after %d runs: %s\n%s'):format(
        done, words.textOf(raised), how_to_repeat())
    end
  end
end

function Law:tell(count, values, why, drawn)
  local smaller, reason, steps = self:shrink(drawn)
  if smaller then values, why = smaller, reason end
  local times = count == 1 and 'the first run' or ('run %d'):format(count)
  local shrunk = steps > 0 and (', shrunk in %d step%s'):format(steps, steps == 1 and '' or 's') or ''
  return ('%s in %s%s:\n%s\n%s\n%s'):format(
    self.title, times, shrunk, list_of(values), words.textOf(why), how_to_repeat())
end

-- MARK: The word

local counts, counted = 0, nil

-- The seed depends only on the law and its test, not on other tests of the run.
local function seed_of_next()
  if counted ~= host.testNumber() then counts, counted = 0, host.testNumber() end
  counts = counts + 1
  return choices.hash(('%d %s %d'):format(settings.seed, host.testName(), counts))
end

local depth = 0

-- Runs the function in a context, which ends its bindings and observers before the next run.
local function in_context(fn, values)
  depth = depth + 1
  local given
  local isGood, raised = pcall(words.api.context, 'forall ' .. depth, function()
    given = table.pack(pcall(fn, table.unpack(values, 1, values.n)))
  end)
  depth = depth - 1
  if not isGood then return false, raised end
  return given[1], given[2]
end

--- Makes a law: `generators`, `fn`, `runs`, `title`.
function laws.law(law)
  law.runs = law.runs or runs
  law.seed = seed_of_next()
  law.deadline = host.monotime() + settings.timeLimit / 2
  law.run = law.run or in_context
  return setmetatable(law, Law)
end

local function misused(text) stop(3, text) end

--- `forall(generator…, fn [, { runs = }])`
function laws.forall(...)
  local given = table.pack(...)
  local options
  if type(given[given.n]) == 'table' and not gen.is(given[given.n]) then
    options, given.n = given[given.n], given.n - 1
  end
  local fn = given[given.n]
  if type(fn) ~= 'function' then
    misused('forall(generator…, function) needs a function at the end, got ' .. type(fn))
  end
  local generators = {}
  for index = 1, given.n - 1 do
    if not gen.is(given[index]) then
      misused(('forall takes generators before its function; #%d is a %s. gen has them: gen.integer()')
        :format(index, type(given[index])))
    end
    generators[index] = given[index]
  end
  if #generators == 0 then misused('forall needs a generator before its function') end
  if options then
    check_options(options, { runs = true }, 'forall', function(text) stop(4, text) end)
  end
  local law = laws.law {
    generators = generators, fn = fn, runs = options and options.runs, title = 'It does not hold',
  }
  local message = law:try()
  if message then stop(2, message) end
end

return laws
