
-- Values that depend on each other, and functions that write what they read.

local function pair()
  local o
  o = object {
    open = false,
    a = computed(function(self) return self.open and self.b * 2 or 1 end),
    b = computed(function(self) return self.a * 2 end),
  }
  return o
end

case("Y1 a loop of computed values is an error in whatever order they are read", function()
  for _, order in ipairs { { "a", "b" }, { "b", "a" } } do
    local o = pair()
    for _ = 1, 3 do
      o.open = false
      same(o[order[1]] + o[order[2]], 3)
      o.open = true
      for _, name in ipairs(order) do
        fails("depend on each other", function() return o[name] end)
      end
    end
  end
end)

case("Y2 a loop that is followed is an error, and leaves with it", function()
  for _, name in ipairs { "a", "b" } do
    local o, seen, runs = pair(), nil, 0
    local label = view.label { text = function() return "is " .. o[name] end }
    effect(function()
      runs = runs + 1
      seen = o[name]
    end)
    local before, text = seen, label.text
    for _ = 1, 3 do
      o.open = true
      same(seen, before)
      same(label.text, text)
      same(#errors(), 2)
      same(errors()[1].code, "cycle")
      o.open = false
      same(seen, before)
      same(#errors(), 0)
    end
    assert(runs < 10)
  end
end)

case("Y3 a loop whose values would agree is one as well", function()
  local o, seen
  o = object {
    open = false,
    a = computed(function(self) return self.open and self.b or 1 end),
    b = computed(function(self) return self.a end),
  }
  effect(function() seen = o.b end)
  o.open = true
  same(#errors(), 1)
  fails("depend on each other", function() return o.a end)
  o.open = false
  same(o.a + o.b + seen, 3)
  same(#errors(), 0)
end)

case("Y4 what could be a loop but is none is read", function()
  -- Each reads the other in one state, and both change places at once.
  local o, seen
  o = object {
    first = true,
    a = computed(function(self) return self.first and 1 or self.b + 1 end),
    b = computed(function(self) return self.first and self.a + 1 or 1 end),
    sum = computed(function(self) return self.a * 10 + self.b end),
  }
  effect(function() seen = o.sum end)
  same(seen, 12)
  o.first = false
  same(seen, 21)
  o.first = true
  same(seen, 12)
  same(#errors(), 0)
end)

case("Y5 a loop of effects names what they read and where they are", function()
  local o = object { n = 0, m = 0, go = false }
  effect(function() if o.go then o.n = o.m + 1 end end)
  effect(function() o.m = o.n end)
  local other = object { n = 0 }
  effect(function() return o.n + other.n > 0 and nil end)
  o.go = true
  same(#errors(), 1)
  local error = errors()[1]
  assert(error.message:find("object.n -> an effect at", 1, true), error.message)
  assert(error.message:find("object.m -> an effect at", 1, true), error.message)
  assert(not error.message:find("object.go", 1, true), error.message)
  assert(error.location:find("loops.lua", 1, true), error.location)
  o.go = false
  same(#errors(), 0)
end)

case("Y5 a loop of observers is listed with its place, whoever closes it", function()
  for _, closer in ipairs { "alone", "both" } do
    local o, isOpen = object { n = 0, m = 0 }, true
    observe(o, "n", function(n) if isOpen then o[closer == "alone" and "n" or "m"] = n + 1 end end)
    observe(o, "m", function(m) if isOpen then o.n = m + 1 end end)
    o.n = 1
    same(#errors(), 1)
    assert(errors()[1].location:find("loops.lua", 1, true), errors()[1].location)
    isOpen = false
    o.n = -1
    same(#errors(), 0)
  end
end)

case("Y6 a loop of bindings is listed until it is gone or settles", function()
  local o, p = object { n = 0 }, object { n = 0 }
  local isLimited = false
  transformer("more", function(n) return isLimited and math.min(n + 1, 10) or n + 1 end)
  bind("n -> n | more", o, p, { initial = false })
  local back = bind("n -> n | more", p, o, { initial = false })
  o.n = 1
  same(#errors(), 1)
  isLimited = true
  o.n = 3
  same(o.n, 10)
  same(#errors(), 0)
  isLimited = false
  o.n = 4
  same(#errors(), 1)
  back:unbind()
  same(#errors(), 0)
end)

case("Y7 a computed value that writes what it has read settles before it is read", function()
  for _, isFollowed in ipairs { false, true } do
    local o, seen = object { n = 0 }, nil
    local p = object { c = computed(function()
      local n = o.n
      if n < 3 then o.n = n + 1 end
      return n
    end) }
    local q = object { d = computed(function() return p.c * 10 end) }
    if isFollowed then effect(function() seen = q.d end) end
    same(q.d, 30)
    same(p.c, 3)
    o.n = 1
    same(q.d, 30)
    same(o.n, 3)
    same(seen, isFollowed and 30 or nil)
  end
end)

case("Y8 a computed value that never stops writing what it reads is a loop", function()
  local o = object { n = 0, isWild = true }
  local p = object { c = computed(function()
    if o.isWild then o.n = o.n + 1 end
    return o.n
  end) }
  fails("object.n -> object.c (", function() return p.c end)
  o.isWild = false
  same(p.c, o.n)
end)
