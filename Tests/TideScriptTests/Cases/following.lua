
-- A transformer follows what it reads, as a computed value does.

case("W1 a binding runs again when a model has changed that its transformer read", function()
  local o, t, unit = object { v = 10 }, object { v = 0 }, object { factor = 2, other = 1 }
  local runs = 0
  bind("v -> v", o, t, { transform = function(v)
    runs = runs + 1
    return v * unit.factor
  end })
  same(t.v, 20)
  unit.factor = 3
  same(t.v, 30)
  unit.other = 2
  same(runs, 2)
  o.v = 1
  same(t.v, 3)
  unit.factor = 4
  same(t.v, 4)
  same(runs, 4)
end)

case("W2 a change of both carries once", function()
  local o, t, unit = object { v = 10 }, object { v = 0 }, object { factor = 2 }
  local seen = {}
  bind("v -> v", o, t, { transform = function(v) return v * unit.factor end })
  observe(t, "v", function(v) seen[#seen + 1] = v end)
  batch(function()
    o.v = 5
    unit.factor = 100
  end)
  same(table.concat(seen, " "), "500")
end)

case("W3 what is read may come and go", function()
  local o, t = object { v = 1 }, object { v = 0 }
  local m = object { on = false, a = 1, b = 1 }
  local runs = 0
  bind("v -> v", o, t, { transform = function(v)
    runs = runs + 1
    if v < 2 then return v end
    return m.on and m.a or m.b
  end })
  m.on = true
  m.a = 5
  same(runs, 1)
  o.v = 2
  same(t.v, 5)
  m.b = 7
  same(runs, 2)
  m.on = false
  same(t.v, 7)
  m.a = 9
  same(runs, 3)
  o.v = 1
  m.on = true
  same(runs, 4)
end)

case("W4 it follows in chains, longer paths, views and both directions", function()
  local unit = object { factor = 2 }
  transformer("times", {
    transform = function(v) return v * unit.factor end,
    reverse = function(v) return v / unit.factor end,
  })
  local o, t = object { inner = object { v = 10 } }, object { inner = object { v = 0 }, w = 0 }
  local field = view.field {}
  bind("inner.v -> inner.v | times", o, t)
  bind("inner.v -> w | offset(1) | times", o, t)
  bind("inner.v <> text | times | string", o, field)
  same(t.inner.v, 20)
  same(t.w, 22)
  same(field.text, "20")
  unit.factor = 3
  same(t.inner.v, 30)
  same(t.w, 33)
  same(field.text, "30")
  same(o.inner.v, 10)
  field.text = "60"
  same(o.inner.v, 20)
  t.inner = object { v = 0 }
  unit.factor = 4
  same(t.inner.v, 80)
end)

case("W5 an error of a transformer is over when what it read is fixed", function()
  local o, t, m = object { v = 1 }, object { v = 0 }, object { isGood = false }
  bind("v -> v", o, t, { transform = function(v)
    if not m.isGood then error "not yet" end
    return v
  end })
  same(#errors(), 1)
  m.isGood = true
  same(#errors(), 0)
  same(t.v, 1)
end)

case("W6 a binding that waits or has ended follows nothing", function()
  local o, t, m = object { v = 1 }, object { v = 0 }, object { n = 1 }
  local runs = 0
  local made = bind("v -> v", o, t, { transform = function(v)
    runs = runs + 1
    return v * m.n
  end })
  made:disable()
  m.n = 2
  m.n = 3
  same(t.v, 1)
  made:enable()
  same(t.v, 3)
  same(runs, 2)
  made:unbind()
  m.n = 4
  same(t.v, 3)
  same(runs, 2)
end)

case("W7 a delay and a condition hold for what it follows, too", function()
  local o, t, m = object { v = 1 }, object { v = 0, w = 0 }, object { n = 1, on = true }
  local function times(v) return v * m.n end
  bind("v -> v", o, t, { transform = times, delay = 1 })
  bind("v -> w", o, t, { transform = times, when = function() return m.on end })
  m.n = 2
  same(t.v, 1)
  same(t.w, 2)
  advance(2)
  same(t.v, 2)
  m.on = false
  m.n = 3
  same(t.w, 2)
  m.on = true
  same(t.w, 3)
end)

case("W8 a transformer that writes what it read settles or is a loop", function()
  local o, t, m = object { v = 1 }, object { v = 0 }, object { n = 0 }
  bind("v -> v", o, t, { transform = function(v)
    if m.n < 3 then m.n = m.n + 1 end
    return v + m.n
  end })
  same(m.n, 3)
  same(t.v, 4)
  same(#errors(), 0)
end)
