-- `gen`: generators of random values, for `forall` and `assert.lawful`.
--
--   gen.list(gen.integer(0, 9)):filter(function(l) return #l > 0 end)
--
-- Each draws numbers from a source; zeros give the simplest value.

local choices = require 'tidelock.test.choices'
local words = require 'tidelock.test.words'

local gen = {}
local Generator = { __name = 'generator' }
Generator.__index = Generator
Generator.__tostring = function(self) return 'gen.' .. self.name end

local function make(name, draw)
  return setmetatable({ name = name, draw = draw }, Generator)
end

--- Whether a value is a generator.
function gen.is(value) return getmetatable(value) == Generator end

local function need(value, position, name)
  if getmetatable(value) == Generator then return value end
  error(("bad argument #%d to 'gen.%s' (generator expected, got %s)")
    :format(position, name, type(value)), 3)
end

-- Raised by a filter that has rejected all values that it tried.
local Refused = {}
Refused.__tostring = function(self)
  return ('the filter at %s let none of %d values through'):format(self.location, self.tries)
end
function gen.is_refused(value) return getmetatable(value) == Refused end

-- MARK: Numbers

-- Mostly small numbers, sometimes the extremes.
local function lopsided(random, most)
  local kind = random(9)
  if kind == 0 then return most end
  if kind <= 3 then return random(math.min(most, 10)) end
  if kind <= 6 then return random(math.min(most, 1000)) end
  return random(most)
end

local most_integer = 1 << 62

local function whole(value, position, name, default, level)
  if value == nil then return default end
  local number = type(value) == 'number' and math.tointeger(value)
  if not number or number < -most_integer or number > most_integer then
    error(("bad argument #%d to 'gen.%s' (integer from -2^62 to 2^62 expected, got %s)")
      :format(position, name, tostring(value)), level or 3)
  end
  return number
end

local function ordered(lo, hi, name, level)
  if lo > hi then
    error(("gen.%s: there is nothing from %s to %s"):format(name, lo, hi), level or 3)
  end
end

-- Zero is the simplest, and a positive number is simpler than a negative one.
local function draw_integer(source, lo, hi)
  if lo >= 0 then return lo + source:draw(hi - lo, lopsided) end
  if hi <= 0 then return hi - source:draw(hi - lo, lopsided) end
  if source:draw(1) == 1 then return -source:draw(-lo, lopsided) end
  return source:draw(hi, lopsided)
end

--- An integer from `lo` to `hi`; the default is any integer that a float represents exactly.
function gen.integer(lo, hi)
  lo = whole(lo, 1, 'integer', hi and math.min(0, whole(hi, 2, 'integer')) or -(1 << 53))
  hi = whole(hi, 2, 'integer', math.max(lo, 1 << 53))
  ordered(lo, hi, 'integer')
  return make('integer', function(source) return draw_integer(source, lo, hi) end)
end

local parts = { 1, 2, 10, 100, 1000, 1 << 20, 1 << 40 }

--- A number from `lo` to `hi`, with or without a fraction; never NaN or infinite.
function gen.number(lo, hi)
  lo, hi = lo or -1e9, hi or math.max(1e9, lo or 0)
  if type(lo) ~= 'number' or type(hi) ~= 'number' or lo ~= lo or hi ~= hi
    or hi - lo == math.huge then
    error("gen.number takes two finite numbers", 2)
  end
  ordered(lo, hi, 'number')
  local low, high = math.ceil(lo), math.floor(hi)
  local fits = math.type(low) == 'integer' and math.type(high) == 'integer' and low <= high
    and low >= -most_integer and high <= most_integer
  return make('number', function(source)
    if not fits then return lo + (hi - lo) * (source:draw(1 << 40) / (1 << 40)) end
    local number = draw_integer(source, low, high)
    local part = parts[source:draw(#parts - 1) + 1]
    if part > 1 then
      local fraction = source:draw(part - 1) / part
      number = number < 0 and number - fraction or number + fraction
    end
    return math.max(lo, math.min(hi, number))
  end)
end

--- False or true.
function gen.boolean()
  return make('boolean', function(source) return source:draw(1) == 1 end)
end

-- MARK: Texts

local simple = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
  .. ' _-.,:;!?\'"()[]{}<>/\\|@#$%^&*+=~`\t\n'
local strange = { 0xE9, 0xDF, 0x130, 0x3B1, 0x416, 0x5D0, 0x301, 0x4E16, 0xFF21, 0x200B, 0x200D,
  0x1F600, 0x1F468, 0xFE0F, 0xFEFF, 0xFFFD, 0x7F, 0x00, 0x10FFFF }

local function ascii(source)
  local index = source:draw(#simple - 1) + 1
  return simple:sub(index, index)
end

local function unicode(source)
  local kind = source:draw(3)
  if kind <= 1 then return ascii(source) end
  if kind == 2 then return utf8.char(strange[source:draw(#strange - 1) + 1]) end
  local code = source:draw(0x10FFFF - 0x800)
  return utf8.char(code < 0xD800 and code or code + 0x800)
end

local function byte(source) return string.char((97 + source:draw(255)) % 256) end

local kinds = { ascii = ascii, unicode = unicode, bytes = byte }

-- The number of elements is drawn as a choice before each: one more, or no more. So shrinking can
-- remove an element as a whole.
local function draw_elements(source, least, most, element)
  local values = {}
  -- Most lists are short, and some long.
  local length = source.random and source.random(9)
  local wanted = length and source.random(length == 0 and math.min(most, 100) or math.min(most, 8))
  while #values < most do
    if #values >= least then
      local more = source:draw(1, function() return #values < wanted and 1 or 0 end)
      if more == 0 then break end
    end
    values[#values + 1] = element(source)
  end
  return values
end

local function bounds(options, name)
  if type(options) ~= 'table' then
    error(("gen.%s takes a table of min and max, not a %s"):format(name, type(options)), 3)
  end
  for key in next, options do
    if key ~= 'min' and key ~= 'max' then
      error(('gen.%s has no option "%s"; it has min and max'):format(name, tostring(key)), 3)
    end
  end
  local least = whole(options.min, 2, name, 0, 4)
  local most = whole(options.max, 2, name, math.max(100, least), 4)
  if least < 0 then error(('gen.%s: min is 0 or more'):format(name), 3) end
  ordered(least, most, name, 4)
  return least, most
end

--- A text of "ascii" (the default) or "unicode" characters, or of "bytes".
function gen.string(kind, options)
  if type(kind) == 'table' then kind, options = nil, kind end
  local character = kinds[kind or 'ascii']
  if not character then
    error(('gen.string takes "ascii", "unicode" or "bytes", not %s'):format(tostring(kind)), 2)
  end
  local least, most = bounds(options or {}, 'string')
  return make('string', function(source)
    return table.concat(draw_elements(source, least, most, character))
  end)
end

-- MARK: Tables

--- A list; the options `min` and `max` limit its length.
function gen.list(of, options)
  need(of, 1, 'list')
  local least, most = bounds(options or {}, 'list')
  return make('list', function(source) return draw_elements(source, least, most, of.draw) end)
end

--- A table that maps keys to values.
function gen.dict(keys, values, options)
  need(keys, 1, 'dict')
  need(values, 2, 'dict')
  local least, most = bounds(options or {}, 'dict')
  return make('dict', function(source)
    local dict = {}
    draw_elements(source, least, most, function()
      local key = keys.draw(source)
      dict[key] = values.draw(source)
      return key
    end)
    return dict
  end)
end

--- A table with the given fields, each with a generator.
function gen.record(fields)
  if type(fields) ~= 'table' then
    error('gen.record takes a table of generators, not a ' .. type(fields), 2)
  end
  local names = {}
  for name, field in next, fields do
    if getmetatable(field) ~= Generator then
      error(('gen.record: %s is a %s, not a generator'):format(tostring(name), type(field)), 2)
    end
    names[#names + 1] = name
  end
  table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
  return make('record', function(source)
    local record = {}
    for _, name in ipairs(names) do
      record[name] = fields[name].draw(source)
    end
    return record
  end)
end

-- MARK: Choosing and changing

--- One of these values; the first is the simplest.
function gen.choose(...)
  local values = ...
  if type(values) ~= 'table' or getmetatable(values) or select('#', ...) > 1 then
    values = table.pack(...)
  end
  local count = values.n or #values
  if count == 0 then error('gen.choose needs a value to choose', 2) end
  return make('choose', function(source) return values[source:draw(count - 1) + 1] end)
end

--- A value of one of these generators; the first is the simplest.
function gen.oneof(first, ...)
  local generators = getmetatable(first) == Generator and { first, ... } or first
  if type(generators) ~= 'table' or #generators == 0 then
    error('gen.oneof needs generators', 2)
  end
  for position, generator in ipairs(generators) do
    need(generator, position, 'oneof')
  end
  return make('oneof', function(source)
    return generators[source:draw(#generators - 1) + 1].draw(source)
  end)
end

--- Always the given value.
function gen.constant(value)
  return make('constant', function() return value end)
end

local function need_function(fn, name)
  if type(fn) ~= 'function' then
    error(("bad argument #2 to 'gen.%s' (function expected, got %s)"):format(name, type(fn)), 3)
  end
end

--- The results of a function for the generated values.
function gen.map(of, fn)
  need(of, 1, 'map')
  need_function(fn, 'map')
  return make('map', function(source) return (fn(of.draw(source))) end)
end

--- A value of the generator that a function returns for a generated value.
function gen.flat(of, fn)
  need(of, 1, 'flat')
  need_function(fn, 'flat')
  return make('flat', function(source)
    local generator = fn(of.draw(source))
    if getmetatable(generator) ~= Generator then
      error('the function of gen.flat gives no generator but a ' .. type(generator), 0)
    end
    return generator.draw(source)
  end)
end

local most_tries = 100

--- The values for which a function returns true.
function gen.filter(of, fn)
  need(of, 1, 'filter')
  need_function(fn, 'filter')
  local level = 2
  local info = debug and debug.getinfo(level, 'Sl')
  if info and info.source:find '^=%[' then info = debug.getinfo(level + 1, 'Sl') end
  local location = info and ('%s:%d'):format(info.short_src, info.currentline) or 'an unknown line'
  return make('filter', function(source)
    local tries = source.random and most_tries or 1
    for _ = 1, tries do
      local count = source.count
      local value = of.draw(source)
      if fn(value) then return value end
      source:forget(count)
    end
    error(setmetatable({ location = location, tries = tries }, Refused), 0)
  end)
end

Generator.map, Generator.filter, Generator.flat = gen.map, gen.filter, gen.flat

--- Some values, to look at: `gen.sample(gen.string(), 5)`.
function gen.sample(of, count, seed)
  need(of, 1, 'sample')
  count, seed = whole(count, 2, 'sample', 10), whole(seed, 3, 'sample', 1)
  local random = choices.stream(seed)
  local values = {}
  for index = 1, count do
    values[index] = of.draw(choices.random_source(random))
  end
  return values
end

return setmetatable(gen, {
  __index = function(_, name)
    local names = {}
    for each in next, gen do
      if not each:find '^is' then names[#names + 1] = each end
    end
    table.sort(names)
    local hint = words.host.hint(tostring(name), names)
    if hint == '' then hint = '; there are ' .. table.concat(names, ', ') end
    error(('there is no gen.%s%s'):format(tostring(name), hint), 2)
  end,
})
