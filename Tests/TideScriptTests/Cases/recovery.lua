
-- An error severs nothing: whoever read something that failed hears of it again.

-- What fails while `a` is 1.
local function broken(a)
  return object {
    a = a or 1, inner = object { x = 5 },
    b = computed(function(self) return 10 // (1 - self.a) end),
    c = computed(function(self)
      if self.a == 1 then error "one" end
      return self.inner
    end),
  }
end

case("R1 a label's function recovers", function()
  local o = broken(0)
  local label = view.label { text = function() return "b " .. o.b end }
  o.a = 1
  same(#errors(), 1)
  o.a = 2
  same(label.text, "b -10")
  same(#errors(), 0)
end)

case("R2 an effect that handles the error runs again", function()
  local o, seen = broken(), nil
  effect(function()
    local isGood, value = pcall(function() return o.b end)
    seen = isGood and value or "bad"
  end)
  same(seen, "bad")
  for _, pair in ipairs { { 2, -10 }, { 1, "bad" }, { 3, -5 } } do
    o.a = pair[1]
    same(seen, pair[2])
  end
end)

case("R3 computed values recover one after the other, in whatever order they are read", function()
  for _, first in ipairs { "x", "y", "z" } do
    local o = broken()
    local p
    p = object {
      x = computed(function() return o.b + 1 end),
      y = computed(function() return p.x + 1 end),
      z = computed(function() return (pcall(function() return p.y end)) and p.x or "bad" end),
    }
    pcall(function() return p[first] end)
    same(p.z, "bad")
    o.a = 2
    same(p.z, -9)
    same(p.y, -8)
    o.a = 1
    fails("divide by zero", function() return p.y end)
    same(p.z, "bad")
  end
end)

case("R4 derived lists recover", function()
  local o = broken()
  local all = list { -20, -7, 3 }
  local few = all:filter(function(x) return x > o.b end)
  local moved = all:map(function(x) return x + o.b end)
  local turned = all:sorted(function(x, y) return x * o.b < y * o.b end)
  same(#few, 0)
  o.a = 2
  same(#few, 2)
  same(moved[1], -30)
  same(turned[1], 3)
  o.a = 1
  o.a = 3
  same(#few, 1)
  same(moved[1], -25)
  same(#errors(), 0)
end)

case("R5 summaries recover", function()
  local rows = {}
  for i = 1, 3 do rows[i] = broken(i == 2 and 1 or 0) end
  local m, t = object { rows = list(rows) }, object { sum = 0, least = 0 }
  bind("rows.@sum.b -> sum", m, t)
  bind("rows.@min.b -> least", m, t)
  same(#errors(), 2)
  rows[2].a = 2
  same(t.sum, 10)
  same(t.least, -10)
  same(#errors(), 0)
  rows[2].a = 1
  rows[2].a = 3
  same(t.sum, 15)
end)

case("R6 conditions, paths, targets and references recover", function()
  local o, t = broken(), object { v = 0, w = 0, p = 0, q = 1, r = 0 }
  bind("q -> v", t, t, { when = function() return o.b < 0 end })
  bind("c.x -> p", o, t)
  bind("q -> c.x", t, o)
  bind("value -> r", ref(o, "b"), t)
  o.a = 2
  same(t.v, 1)
  same(t.p, 1)
  same(o.inner.x, 1)
  same(t.r, -10)
  o.a = 1
  t.q = 2
  same(t.v, 1)
  o.a = 3
  same(t.v, 2)
  same(o.inner.x, 2)
  same(t.r, -5)
  same(#errors(), 0)
end)

case("R7 a display pattern recovers with each of its sources", function()
  local o = broken()
  local label = view.label {}
  bind({ "a", "b" }, "text", o, label, { format = "%s and %s" })
  o.a = 2
  same(label.text, "2 and -10")
  o.a = 1
  o.a = 3
  same(label.text, "3 and -5")
end)

case("R8 observers hear of the next good value", function()
  local o, heard = broken(), {}
  observe(o, "b", function(new) heard[#heard + 1] = new end)
  o.a = 2
  o.a = 1
  o.a = 3
  same(table.concat(heard, " "), "-10 -5")
end)

-- What handlers fail with is over when they go well.

local bad = true
local function act() if bad then error "bad" end end

local function recovers(run)
  bad = true
  run()
  same(#errors(), 1)
  -- It fails still: once.
  run()
  same(#errors(), 1)
  bad = false
  run()
  same(#errors(), 0)
end

case("R20 a handler, a timer and an observer of notifications recover", function()
  local button = view.button { id = "b", on = { touchUpInside = act } }
  recovers(function() button:send "touchUpInside" end)
  notification.observe("news", act)
  recovers(function() notification.post "news" end)
  local timer = every(1, act)
  recovers(function() sleep(1) end)
  timer:cancel()
  local o = object { x = 1 }
  observe(o, "x", act)
  recovers(function() o.x = o.x + 1 end)
end)

case("R21 a handler that waits recovers when it has ended well", function()
  local bad = true
  local button = view.button { on = { touchUpInside = function()
    sleep(1)
    if bad then error "late" end
  end } }
  button:send "touchUpInside"
  sleep(2)
  same(errors()[1].message, "late")
  bad = false
  button:send "touchUpInside"
  same(#errors(), 1)
  sleep(2)
  same(#errors(), 0)
end)

case("R22 what goes well takes nobody else's error away", function()
  local bad, o = true, object { x = 1, y = 1 }
  local function act() if bad then error "bad" end end
  local button = view.button { on = { touchUpInside = act } }
  observe(o, "x", act)
  observe(o, "y", act)
  button:send "touchUpInside"
  o.x, o.y = 2, 2
  same(#errors(), 3)
  bad = false
  o.x = 3
  same(#errors(), 2)
  o.x = 4
  same(#errors(), 2)
  button:send "touchUpInside"
  same(#errors(), 1)
  o.y = 3
  same(#errors(), 0)
end)

case("R23 an observer and an effect that have ended fail no more", function()
  local o = object { x = 1 }
  local observation = observe(o, "x", function() error "observed" end)
  local running = effect(function() error("effect " .. o.x) end)
  o.x = 2
  same(#errors(), 2)
  observation:cancel()
  same(#errors(), 1)
  running:cancel()
  same(#errors(), 0)
end)

case("R24 commands, feeds, initial calls and observers of bindings recover", function()
  local command = object { execute = act }
  local button = view.button { on = { touchUpInside = command } }
  recovers(function() button:send "touchUpInside" end)
  local rows = feed { page = 1, fetch = function() act() return { 1 } end }
  recovers(function() rows:fetchMore() end)
  local o, t = object { x = 1 }, object { y = 0 }
  bind("x -> y", o, t, { observe = act })
  recovers(function() o.x = o.x + 1 end)
  bad = true
  observe(t, "y", act, { initial = true })
  same(#errors(), 1)
  bad = false
  o.x = 0
  same(#errors(), 0)
end)

case("R20 a key function is asked for items alone, and its error goes when it succeeds", function()
  for _, kind in ipairs { "picker", "radio", "list" } do
    local rows = list { object { id = 1, name = "a" }, object { id = 2, name = "b" } }
    local m = object { chosen = rows[2], isBroken = false }
    local choice = view[kind] { items = rows, key = function(item)
      if m.isBroken then error "broken" end
      return item.id
    end }
    bind("chosen <> selectedObject", m, choice)
    show(choice)
    rows:clear()
    rows:append(object { id = 2, name = "b" })
    choice.items = list {}
    choice.items = rows
    same(choice.selectedIndex, 1)
    same(#errors(), 0)
    m.isBroken = true
    for _ = 1, 3 do choice.selectedIndex = nil; choice.selectedIndex = 1 end
    same(#errors(), 1)
    m.isBroken = false
    choice.selectedIndex = nil
    choice.selectedIndex = 1
    same(#errors(), 0)
  end
end)

case("R22 a path to children that no row has is listed whenever it is set", function()
  local tree = view.tree { height = 5, items = list { { name = "n" } } }
  show(tree)
  same(#errors(), 0)
  tree.childrenPath = "nam"
  same(#errors(), 1)
  tree.childrenPath = "children"
  same(#errors(), 0)
end)
