local function message(...)
  local isGood, raised = pcall(...)
  assert.is_false(isGood)
  return tostring(raised)
end

-- The simplest value of a generator for which a function is true.
local function least(generator, fn)
  local text = message(forall, generator, function(value) return not fn(value) end, { runs = 1000 })
  return (text:match("\n  (.-)\nit gave false"):gsub("table: 0x%x+", "table"))
end

describe("shrinking", function()
  it("finds the smallest numbers", function()
    assert.equal("(number) 1000", least(gen.integer(), function(n) return n >= 1000 end))
    assert.equal("(number) -18", least(gen.integer(), function(n) return n < -17 end))
    assert.equal("(number) 5", least(gen.integer(5, 500), function() return true end))
    assert.equal("(number) 101", least(gen.integer():filter(function(n) return n % 2 == 1 end),
      function(n) return n > 100 end))
    assert.equal("(number) 3", least(gen.number(), function(n) return n > 2.5 end))
  end)

  it("finds the shortest texts and lists", function()
    assert.equal("(string) 'aaa'", least(gen.string(), function(s) return #s >= 3 end))
    assert.equal("(string) 'Z'", least(gen.string(), function(s) return s:find "Z" ~= nil end))
    assert.equal("(string) 'é'", least(gen.string "unicode", function(s) return #s > utf8.len(s) end))
    assert.equal("(table) { }", least(gen.list(gen.integer()), function() return true end))
    assert.matches("%[1%] = 101 }", least(gen.list(gen.integer()), function(l)
      local sum = 0
      for _, n in ipairs(l) do sum = sum + n end
      return sum > 100
    end))
    assert.matches("%[1%] = 0%s+%[2%] = 0 }", least(gen.list(gen.integer(0, 50)), function(l)
      local seen = {}
      for _, n in ipairs(l) do
        if seen[n] then return true end
        seen[n] = true
      end
      return false
    end))
  end)

  it("goes through what is made of others", function()
    assert.equal("(number) 22", least(gen.integer(0, 100):map(function(n) return n * 2 end),
      function(n) return n > 20 end))
    assert.equal("(string) 'no'", least(gen.choose { "yes", "no" }, function(v) return v == "no" end))
    assert.equal("(boolean) false", least(gen.boolean(), function() return true end))
    assert.matches("%[a%] = 'x'", least(gen.record { a = gen.constant "x", b = gen.integer() },
      function(r) return r.b ~= 3 end))
  end)
end)

describe("forall", function()
  it("passes what holds", function()
    local count = 0
    forall(gen.integer(-5, 5), gen.string(), function(n, s)
      count = count + 1
      assert.is_true(n >= -5 and n <= 5)
      assert.is_string(s)
    end)
    assert.equal(100, count)
    forall(gen.dict(gen.string(), gen.number(0, 1), { max = 3 }), gen.oneof(gen.integer(), gen.boolean()),
      function(dict, either)
        for key, value in pairs(dict) do
          assert.is_string(key)
          assert.is_true(value >= 0 and value <= 1)
        end
        assert.is_true(math.type(either) == "integer" or type(either) == "boolean")
      end)
    forall(gen.list(gen.boolean(), { min = 2, max = 4 }), function(l) return #l >= 2 and #l <= 4 end)
  end)

  it("says with what, and how to repeat it", function()
    local text = message(forall, gen.integer(), gen.boolean(), function(n) assert.is_true(n < 10) end)
    assert.matches("It does not hold in", text)
    assert.matches("\n  %(number%) 10\n  %(boolean%) false\n", text)
    assert.matches("laws_spec.lua:%d+: Expected objects to be the same", text)
    assert.matches("The seed is (%d+): %-%-seed %1 repeats it", text)
  end)

  it("lets go of what a run has bound", function()
    local o = object { x = 0 }
    local calls = 0
    forall(gen.integer(1, 9), function() observe(o, "x", function() calls = calls + 1 end) end)
    o.x = 1
    assert.equal(1, calls)
  end)

  it("may wait, and be in another", function()
    forall(gen.integer(0, 9), function(n)
      sleep(n)
      forall(gen.integer(0, n), function(m) return m <= n end, { runs = 5 })
    end, { runs = 5 })
  end)

  it("shows the value as it was", function()
    local text = message(forall, gen.list(gen.integer(), { min = 1 }), function(l)
      l[1] = "spoilt"
      return false
    end)
    assert.no_match("spoilt", text)
  end)

  it("says what is wrong with its arguments", function()
    assert.matches("needs a function at the end, got nil", message(forall))
    assert.matches("needs a generator before", message(forall, function() end))
    assert.matches("#1 is a number", message(forall, 3, function() end))
    assert.matches("runs is a whole number", message(forall, gen.boolean(), function() end, { runs = 0 }))
    assert.matches("there is nothing from 3 to 1", message(gen.integer, 3, 1))
    assert.matches("generator expected, got number", message(gen.list, 3))
    assert.matches('takes "ascii", "unicode" or "bytes"', message(gen.string, "latin"))
    assert.matches("needs a value to choose", message(gen.choose, {}))
    assert.matches('there is no gen.intger; did you mean "integer"', message(function()
      return gen.intger
    end))
  end)

  it("reports generators that fail", function()
    local bad = gen.integer():map(function() error "broken map" end)
    assert.matches("A generator failed after 0 runs: .*broken map", message(forall, bad, function() end))
    local none = gen.integer():filter(function() return false end)
    local text = message(forall, none, function() end)
    assert.matches("too few values: the filter at .*laws_spec.lua:%d+ let none of 100", text)
    local huge = gen.list(gen.list(gen.list(gen.integer(), { min = 100, max = 100 }),
      { min = 100, max = 100 }), { min = 100, max = 100 })
    assert.matches("too large", message(forall, huge, function() end))
  end)
end)

describe("lawful", function()
  it("holds for what goes there and back", function()
    assert.lawful "scale(3) | offset(-2)"
    assert.lawful "not"
    assert.lawful "prefix('a')"
    assert.lawful("choose(yes, no)", gen.boolean())
    assert.lawful "join(', ')"
    assert.lawful "split(',')"
    assert.lawful("date('%Y-%m-%d')", { lossy = true })
    assert.lawful({ transform = function(s) return s:reverse() end,
      reverse = function(s) return s:reverse() end }, gen.string "bytes")
    transformer "half" { transform = function(n) return n / 2 end, reverse = function(n) return n * 2 end }
    assert.lawful "half"
  end)

  it("shrinks what does not", function()
    transformer "lost" {
      transform = function(n) return n > 99 and 99 or n end, reverse = function(n) return n end,
    }
    local text = message(function() assert.lawful("lost", gen.integer(0, 1000)) end)
    assert.matches('"lost" is not lawful', text)
    assert.matches("\n  %(number%) 100\n", text)
    assert.matches("and back it is\n  %(number%) 99", text)
    assert.matches("lossy = true", text)
    assert.lawful("lost", gen.integer(0, 1000), { lossy = true })
    assert.is_not.lawful("lost", gen.integer(0, 1000))
    assert.is_not.lawful({ transform = function(n) return n end, reverse = function(n) return n + 1 end })
  end)

  it("needs a way back", function()
    assert.matches("has no reverse", message(function() assert.lawful "uppercase" end))
    assert.matches("no transformer \"scal\"; did you mean \"scale\"", message(function()
      assert.lawful "scal(2)"
    end))
    assert.matches("has no reverse", message(function() assert.lawful(function(n) return n end) end))
    assert.matches("generator expected, got number", message(function() assert.lawful("not", 3) end))
  end)
end)

describe("mistakes about laws", function()
  it("are told of in their line", function()
    local function told(pattern, fn)
      local text = message(fn)
      assert.matches("^[^\n]*laws_spec.lua:%d+: ", text)
      assert.matches(pattern, text)
      assert.no_match("tidelock.test", text)
    end
    told('"losy"; did you mean "lossy"', function() assert.lawful("not", { losy = true }) end)
    told("runs is a whole number", function() assert.lawful("not", { runs = "x" }) end)
    told('"run"; did you mean "runs"', function() forall(gen.boolean(), print, { run = 3 }) end)
    told('has no option "mim"', function() gen.string { mim = 3 } end)
    told("nothing from 5 to 2", function() gen.list(gen.boolean(), { min = 5, max = 2 }) end)
    told("integer from", function() gen.string { min = "x" } end)
    told("takes a table", function() gen.record() end)
    told("needs a value", function() gen.choose() end)
    told("integer from", function() gen.sample(gen.boolean(), "many") end)
    told("scale%(factor%) takes 1 argument", function() assert.lawful "scale" end)
    told("must be a number", function() assert.lawful "scale('x')" end)
  end)

  it("of a transformer have its own line", function()
    transformer "fussy" {
      transform = function(v) if v > 50 then error "too big" end return v end,
      reverse = function(v) return v end,
    }
    local text = message(function() assert.lawful("fussy", gen.integer(0, 100)) end)
    -- It may have been 51 in the first run already, with nothing to shrink.
    assert.matches(":\n  %(number%) 51\n[^\n]*laws_spec.lua:%d+: too big\n", text)
  end)

  it("are transformers that wait", function()
    transformer "slow" {
      transform = function(v) sleep(1) return v end, reverse = function(v) return v end,
    }
    assert.matches("the transformer waits", message(function() assert.lawful "slow" end))
  end)
end)

describe("laws of what keeps still", function()
  it("go by what would be written", function()
    assert.lawful "equals(3)"
    for _, name in ipairs { "number", "integer", "boolean", "string" } do
      assert.lawful(name)
    end
    assert.is_not.lawful("number(2)", gen.number(0, 10))
  end)
end)
