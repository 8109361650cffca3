
-- Computed values nest as deep as memory allows.

local function chain(count, step)
  local first = object { v = 1 }
  local last, all = first, {}
  for i = 1, count do
    local before = last
    last = object { v = computed(function() return step(before) end) }
    all[i] = last
  end
  return first, last, all
end

case("U1 a long chain is read for the first time, each value once", function()
  local runs = 0
  local first, last = chain(3000, function(before)
    runs = runs + 1
    return before.v + 1
  end)
  same(last.v, 3001)
  same(runs, 3000)
  first.v = 2
  same(last.v, 3002)
  same(runs, 6000)
  local seen
  effect(function() seen = last.v end)
  first.v = 3
  same(seen, 3003)
  same(runs, 9000)
end)

case("U2 a hundred thousand are read", function()
  local Link = class "Link" {
    before = property {},
    v = computed(function(self)
      local before = self.before
      return before and before.v + 1 or 1
    end),
  }
  local last
  for _ = 1, 100000 do last = Link { before = last } end
  same(last.v, 100000)
end)

case("U3 an error passes through a long chain, and may be handled on the way", function()
  local first, last = chain(1000, function(before)
    if before.v == 500 then error "half" end
    return before.v + 1
  end)
  fails("half", function() return last.v end)
  first.v = 1000
  same(last.v, 2000)
  local other, handled = chain(1000, function(before)
    local isGood, value = pcall(function()
      if before.v == 500 then error "half" end
      return before.v
    end)
    return isGood and value + 1 or 0
  end)
  same(handled.v, 500)
  other.v = 1000
  same(handled.v, 2000)
end)

case("U4 where no function can wait it is an error, and read from below it is none", function()
  local function inSort(before)
    local value
    table.sort({ 1, 2 }, function(a, b)
      value = before.v
      return a < b
    end)
    return value + 1
  end
  local _, last, all = chain(500, inSort)
  fails("nest too deep", function() return last.v end)
  for _, one in ipairs(all) do same(one.v > 0, true) end
  same(last.v, 501)
  -- Around the whole it does no harm.
  local _, deep = chain(500, function(before) return before.v + 1 end)
  same(inSort(deep), 502)
end)

case("U5 a long loop is found", function()
  local all = {}
  for i = 1, 1000 do
    all[i] = object { v = computed(function() return all[i % 1000 + 1].v + 1 end) }
  end
  fails("more) -> object.v", function() return all[1].v end)
end)

case("U6 a function that waits yields to nobody and is resumed by nobody", function()
  local held = {}
  local _, last = chain(100, function(before)
    held[#held + 1] = coroutine.running()
    local isYielded = pcall(coroutine.yield, 1)
    if #held == 90 then
      same(coroutine.status(held[60]), "normal")
      same((coroutine.resume(held[60])), false)
      same((pcall(coroutine.close, held[60])), false)
    end
    return before.v + (isYielded and 1000 or 1)
  end)
  same(last.v, 101)
end)

case("U7 values that write are evaluated again at any depth", function()
  local m = object { n = 0 }
  local _, last = chain(100, function(before)
    if m.n < 50 then m.n = m.n + 1 end
    return before.v + 1
  end)
  same(last.v, 101)
  same(m.n, 50)
end)
