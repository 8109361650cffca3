-- Random values as sequences of choices, and the shrinking of such sequences.
--
-- A generator makes its value from numbers that it draws one after another, each from 0 to a bound.
-- Smaller numbers give simpler values. So a counter-example shrinks when the numbers become fewer
-- and smaller, whatever the generator does with them. The idea comes from Hypothesis.
--
--   list of integers { 3, 0 }   1 0 3   1 0 0   0
--                               │ │ └ magnitude
--                               │ └ sign
--                               └ one more element

local choices = {}

local Source = {}
Source.__index = Source

-- After the end of a sequence, zeros are drawn.
function Source:draw(most, sample)
  local index = self.count + 1
  local value
  if self.given then
    value = self.given[index] or 0
    if value > most then value = most end
  else
    value = sample and sample(self.random, most) or self.random(most)
  end
  if index > self.longest then error(choices.exhausted, 0) end
  self.count = index
  self.drawn[index] = value
  return value
end

-- Discards the drawn numbers after the first `count`.
function Source:forget(count)
  for index = self.count, count + 1, -1 do
    self.drawn[index] = nil
  end
  self.count = count
end

choices.exhausted = setmetatable({}, {
  __tostring = function() return 'the generated value is too large' end,
})

-- The most numbers that one value may draw.
local longest = 100000

local function source_over(given, random)
  return setmetatable(
    { given = given, random = random, drawn = {}, count = 0, longest = longest }, Source)
end

--- A source of random numbers: `random(n)` returns one from 0 to n.
function choices.random_source(random) return source_over(nil, random) end

--- A source that repeats a sequence.
function choices.replay(given) return source_over(given) end

--- A separate random number generator (xorshift*), which does not affect `math.random`.
function choices.stream(seed)
  local state = seed ~ 0x2545F4914F6CDD1D
  if state == 0 then state = 88172645463325252 end
  local function step()
    state = state ~ (state >> 12)
    state = state ~ (state << 25)
    state = state ~ (state >> 27)
    return state * 0x2545F4914F6CDD1D
  end
  for _ = 1, 8 do
    step()
  end
  return function(most)
    if most <= 0 then return 0 end
    return (step() >> 1) % (most + 1)
  end
end

--- A hash of a text, equal in every run (FNV-1a).
function choices.hash(text)
  local hash = -3750763034362895579
  for index = 1, #text do
    hash = (hash ~ text:byte(index)) * 1099511628211
  end
  return hash
end

-- MARK: Shrinking

local function without(list, first, count)
  local shorter = table.move(list, 1, first - 1, 1, {})
  return table.move(list, first + count, #list, first, shorter)
end

local function with(list, index, value)
  local changed = table.move(list, 1, #list, 1, {})
  changed[index] = value
  return changed
end

local Shrinker = {}
Shrinker.__index = Shrinker

-- Adopts a sequence if it is smaller and still fails. Returns whether it did.
function Shrinker:try(candidate)
  if self.left <= 0 then return false end
  self.left = self.left - 1
  local drawn = self.fails(candidate)
  if not drawn then return false end
  -- Only the numbers actually drawn count: the generator may draw more or fewer, and limits each to
  -- its bound.
  if #drawn > #self.best then return false end
  if #drawn == #self.best then
    local isSmaller = false
    for index = 1, #drawn do
      if drawn[index] ~= self.best[index] then
        isSmaller = drawn[index] < self.best[index]
        break
      end
    end
    if not isSmaller then return false end
  end
  self.best = drawn
  self.steps = self.steps + 1
  return true
end

-- Removes parts, large ones first.
function Shrinker:drop()
  local count = math.min(16, #self.best)
  while count > 0 do
    local first = #self.best - count + 1
    while first > 0 do
      if not self:try(without(self.best, first, count)) then first = first - 1 end
      first = math.min(first, #self.best - count + 1)
    end
    count = count > 4 and count // 2 or count - 1
  end
end

-- Removes a part, and lowers a number before it that may be the count of the following elements.
function Shrinker:drop_and_lower()
  for first = #self.best, 2, -1 do
    for count = 1, 4 do
      local before = self.best[first - 1]
      if before and before > 0 and first + count - 1 <= #self.best then
        self:try(with(without(self.best, first, count), first - 1, before - 1))
      end
    end
  end
end

-- Minimizes each number by bisection.
function Shrinker:lower()
  local index = 1
  while index <= #self.best do
    local high = self.best[index]
    if high > 0 and not self:try(with(self.best, index, 0)) then
      local low = 0
      while self.best[index] and self.best[index] - low > 1 do
        local middle = low + (self.best[index] - low) // 2
        if not self:try(with(self.best, index, middle)) then low = middle end
        if self.left <= 0 then return end
      end
      -- Bisection misses values if only every other one fails, such as even numbers.
      for less = 1, 3 do
        local value = self.best[index]
        if value and value - less >= 0 then self:try(with(self.best, index, value - less)) end
      end
    end
    index = index + 1
  end
end

-- Subtracts from one number and adds to a later one, so that sums stay the same.
function Shrinker:pass_on()
  for index = 1, #self.best do
    for other = index + 1, math.min(#self.best, index + 4) do
      local value, more = self.best[index], self.best[other]
      if value and more and value > 0 then
        if not self:try(with(with(self.best, index, 0), other, more + value)) then
          self:try(with(with(self.best, index, value - 1), other, more + 1))
        end
      end
    end
  end
end

-- Lowers two equal numbers together.
function Shrinker:lower_pairs()
  for index = 1, #self.best do
    for other = index + 1, #self.best do
      local value = self.best[index]
      if value and value > 0 and value == self.best[other] then
        local low = -1
        while self.best[other] and self.best[index] - low > 1 do
          local middle = low + (self.best[index] - low) // 2
          if not self:try(with(with(self.best, index, middle), other, middle)) then
            low = middle
          end
          if self.left <= 0 then return end
        end
      end
    end
  end
end

--- Shrinks a failing sequence. `fails(sequence)` returns the drawn numbers if the sequence fails.
function choices.shrink(sequence, fails, budget)
  local shrinker = setmetatable(
    { best = sequence, fails = fails, left = budget, steps = 0 }, Shrinker)
  repeat
    local before = shrinker.steps
    shrinker:drop()
    shrinker:drop_and_lower()
    shrinker:lower()
    shrinker:pass_on()
    shrinker:lower_pairs()
  until shrinker.steps == before or shrinker.left <= 0
  return shrinker.best, shrinker.steps
end

return choices
