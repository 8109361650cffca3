
-- What counts as equal is what Lua takes for equal, and NaN.

case("T1 an equal number changes nothing, its kind included", function()
  local o, told = object { i = 1, f = 2.0, z = 0.0, any = property {} }, 0
  observe(o, function() told = told + 1 end)
  o.i = 1.0
  o.f = 2
  o.z = -0.0
  same(math.type(o.i), "integer")
  same(math.type(o.f), "float")
  same(1 / o.z, math.huge)
  same(told, 0)
  o.any = 5
  o.any = 5.0
  same(math.type(o.any), "integer")
  same(told, 1)
  -- One that is near is another one.
  o.any = 1 << 53
  o.any = (1 << 53) + 1
  o.any = 2.0 ^ 53
  same(told, 4)
  o.any = 0 / 0
  o.any = 0 / 0
  same(told, 5)
  o.any = math.mininteger
  o.any = -2.0 ^ 63
  same(math.type(o.any), "integer")
  o.any = math.maxinteger
  o.any = 2.0 ^ 63
  same(math.type(o.any), "float")
  same(told, 8)
end)

case("T2 bindings, computed values, lists and searches agree with it", function()
  local o, t, told = object { v = 1 }, object { v = property { default = 1 } }, 0
  bind("v -> v", o, t)
  observe(t, "v", function() told = told + 1 end)
  local c = object { kind = 1, v = computed(function(self)
    return self.kind == 1 and 1 or 1.0
  end) }
  observe(c, "v", function() told = told + 1 end)
  o.v = 1.0
  c.kind = 2
  same(told, 0)
  local l = list { 1, 2.0, -0.0 }
  l:observe(function() told = told + 1 end)
  same(l:indexOf(1.0), 1)
  same(l:indexOf(2), 2)
  same(l:indexOf(0), 3)
  l[1] = 1.0
  l:set { 1.0, 2, 0 }
  same(told, 0)
end)

case("T3 text is compared byte by byte", function()
  local o, told = object { s = "\u{e9}" }, 0
  observe(o, "s", function() told = told + 1 end)
  o.s = "e\u{301}"
  same(told, 1)
  local l = list { "\u{e9}" }
  same(l:indexOf("e\u{301}"), nil)
end)

case("T4 what nobody follows is cut off where values are equal", function()
  local o, runs = object { n = 1 }, 0
  local c
  c = object {
    sign = computed(function() return o.n > 0 end),
    word = computed(function()
      runs = runs + 1
      return c.sign and "up" or "down"
    end),
    text = computed(function()
      runs = runs + 1
      return c.word .. "!"
    end),
  }
  same(c.text, "up!")
  same(runs, 2)
  o.n = 2
  same(c.text, "up!")
  batch(function()
    o.n = 3
    same(c.text, "up!")
  end)
  same(runs, 2)
  o.n = -1
  same(c.text, "down!")
  same(runs, 4)
end)

case("T5 what is not read any more is not evaluated", function()
  local o, runs = object { isOn = true, n = 1 }, 0
  local dear = object { v = computed(function()
    runs = runs + 1
    return o.n
  end) }
  local c = object { v = computed(function() return o.isOn and dear.v or 0 end) }
  same(c.v, 1)
  o.isOn = false
  o.n = 2
  same(c.v, 0)
  same(runs, 1)
end)
