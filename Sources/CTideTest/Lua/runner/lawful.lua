-- `assert.lawful(transformer [, generator] [, { lossy = true }])`: transforming a value and back
-- returns the value.

local namespaces = require 'luassert.namespaces'
local misuse = require 'luassert.misuse'
local compare = require 'luassert.compare'
local gen = require 'tidelock.test.generators'
local laws = require 'tidelock.test.laws'
local locations = require 'tidelock.test.locations'
local words = require 'tidelock.test.words'
local host, unchanged = words.host, words.api.unchanged

local function show(value) return require('luassert.state').format_argument(value) end

-- The relative precision of a round trip, which may round the last digits.
local precision = 1e-9

local function alike(a, b)
  if math.type(a) and math.type(b) then
    if a == b or (a ~= a and b ~= b) then return true end
    return math.abs(a - b) <= precision * math.max(1, math.abs(a), math.abs(b))
  end
  if type(a) == 'table' and type(b) == 'table' then
    for key, value in next, a do
      if not alike(value, b[key]) then return false end
    end
    for key in next, b do
      if a[key] == nil then return false end
    end
    return true
  end
  return (compare.deepcompare(a, b, true))
end

-- Texts in the form in which the transformer writes numbers, so that a round trip returns the same
-- text.
local number_texts = gen.integer(-4000, 4000):map(function(n) return ('%.15g'):format(n / 4) end)

-- The generators for transformers with these names, unless they take numbers.
local takes = {
  ['not'] = gen.boolean, choose = gen.boolean, prefix = gen.string, suffix = gen.string,
  default = gen.string, split = gen.string, uppercase = gen.string, lowercase = gen.string,
  capitalized = gen.string, trim = gen.string,
  number = function() return number_texts end,
  integer = function() return gen.integer():map(tostring) end,
  boolean = function() return gen.choose { 'true', 'false' } end,
  string = gen.string,
  -- `join` takes at least two texts, none of which contains the separator.
  join = function() return gen.list(gen.integer(0, 99):map(tostring), { min = 2 }) end,
  date = function() return gen.integer(0, 4102444800) end,
}

local kinds = { gen.number, gen.integer, gen.string, gen.boolean }
local simplest = { 1.5, 1, 'a', true }

-- Numbers, unless the transformer refuses one; then texts, then booleans.
local function default_generator(transformer)
  local name = type(transformer) == 'string' and transformer:match '^%s*!?([%w_]+)%s*'
  -- With a number of digits, `number` takes numbers and returns texts.
  if name == 'number' and transformer:find '^%s*number%s*%(' then name = nil end
  if name and takes[name] then return takes[name]() end
  for index, kind in ipairs(kinds) do
    if pcall(host.carry, simplest[index], transformer, false) then return kind() end
  end
  return gen.number()
end

-- A transformer's error has its own location or none. The location of this call would be
-- meaningless.
local function carry(...)
  local isGood, value = pcall(host.carry, ...)
  if isGood then return value end
  error(locations.without_ours(value), 0)
end

-- Checks a round trip. Values that the transformer leaves unchanged are not written, and pass.
local function check(transformer, is_lossy)
  return function(value)
    local there = carry(value, transformer, false)
    if there == unchanged then return end
    local back = carry(there, transformer, true)
    if back == unchanged then back = value end
    if not is_lossy then
      if alike(value, back) then return end
      error(('There it is\n  %s\nand back it is\n  %s'):format(show(there), show(back)), 0)
    end
    local again = carry(back, transformer, false)
    if alike(there, again) then return end
    error(('There it is\n  %s\nand there again, after the way back,\n  %s'):format(
      show(there), show(again)), 0)
  end
end

-- Checks that the transformer exists and has a reverse.
local function check_ways(transformer, level)
  local isGood, raised = pcall(host.checkWays, transformer)
  if not isGood then misuse.raise('assert.lawful: ' .. tostring(raised), level + 1) end
end

local function lawful(state, arguments, level)
  misuse.need(arguments, 1, 'lawful', level)
  local transformer, generator, options = arguments[1], arguments[2], arguments[3]
  if options == nil and type(generator) == 'table' and not gen.is(generator) then
    generator, options = nil, generator
  end
  if generator ~= nil and not gen.is(generator) then
    misuse.bad_type(2, 'lawful', 'generator', type(generator), level)
  end
  options = options or {}
  if type(options) ~= 'table' then
    misuse.bad_type(3, 'lawful', 'table of options', type(options), level)
  end
  laws.check_options(options, { lossy = true, runs = true }, 'assert.lawful', function(text)
    misuse.raise(text, level + 2)
  end)
  check_ways(transformer, level)
  local name = type(transformer) == 'string' and '"' .. transformer .. '"' or 'The transformer'
  local law = laws.law {
    generators = { generator or default_generator(transformer) },
    fn = check(transformer, options.lossy),
    runs = options.runs,
    run = function(fn, values) return pcall(fn, values[1]) end,
    title = name .. ' is not lawful',
  }
  local message = law:try()
  local held = message == nil
  if held ~= state.mod then
    if held then
      message = name .. ' is lawful.'
    elseif not options.lossy then
      message = message .. '\nWhere it is meant to lose something, { lossy = true } asks for the rest.'
    end
    state.failure_message = message
  end
  return held, table.pack(table.unpack(arguments, 1, arguments.n))
end

namespaces.provide('assertion', { name = 'lawful', callback = lawful })

return true
