-- ref: a data object whose value stands in for a property. Commands. Display patterns.

transformer "R" {
  transform = function(n) return n / 100 end,
  reverse = function(n) return n * 100 end,
}

case("R1 a ref reads and writes the property that it stands in for", function()
  local o = object { name = "a", inner = { n = 1 } }
  local r = ref(o, "name")
  same(r.value, "a")
  r.value = "b"
  same(o.name, "b")
  o.name = "c"
  same(r.value, "c")
  local deep = ref(o, "inner.n")
  deep.value = 2
  same(o.inner.n, 2)
  o.inner = { n = 9 }
  same(deep.value, 9)
  fails("number", function() deep.value = {} end)
  fails("o.inner", function() error("o.inner") end)
end)

case("R2 it transforms, and takes back in reverse order", function()
  local o = object { rpm = 20000 }
  local r = ref(o, "rpm", "R", "offset(1)")
  same(r.value, 201)
  r.value = 51
  same(o.rpm, 5000)
  local list = ref(o, "rpm", { "R", "!offset(1)" })
  same(list.value, 49)
  local chained = ref(o, "rpm", "R | offset(1)")
  same(chained.value, 51)
  local own = ref(o, "rpm", { transform = function(n) return n + 1 end,
    reverse = function(n) return n - 1 end })
  own.value = 8
  same(o.rpm, 7)
end)

case("R3 without a reverse it is read only, by hand and for bindings", function()
  local o = object { name = "a" }
  local r = ref(o, "name", function(s) return s:upper() end)
  same(r.value, "A")
  fails("read only", function() r.value = "B" end)
  local t = object { x = "" }
  bind("value -> x", r, t)
  same(t.x, "A")
  o.name = "b"
  same(t.x, "B")
  fails("no reverse", bind, "value <> x", r, t)
  fails("no reverse", bind, "x -> value", t, r)
  fails("no reverse", bind, "value <- x", r, t)
end)

case("R4 it is an end of bindings, either side, every arrow", function()
  local function world() return object { rpm = 20000 }, object { speed = 0 } end
  local m, v = world()
  bind("value -> speed", ref(m, "rpm", "R"), v)
  same(v.speed, 200)
  m, v = world()
  bind("value <> speed", ref(m, "rpm", "R"), v)
  same(v.speed, 200)
  v.speed = 50
  same(m.rpm, 5000)
  m, v = world()
  v.speed = 3
  bind("value <- speed", ref(m, "rpm", "R"), v)
  same(m.rpm, 300)
  m, v = world()
  bind("rpm -> value", m, ref(v, "speed", "!R"))
  same(v.speed, 200)
  m, v = world()
  bind("rpm <> value | offset(1)", m, ref(v, "speed", "!R"))
  same(v.speed, 200.01)
  v.speed = 1
  same(m.rpm, 99)
  m, v = world()
  v.speed = 4
  bind("rpm <- value", m, ref(v, "speed", "!R"))
  same(m.rpm, 400)
  m, v = world()
  v.speed = 4
  bind("rpm <~ value | offset(1)", m, ref(v, "speed", "!R"))
  same(m.rpm, 401)
  m, v = world()
  bind("value -> value", ref(m, "rpm", "R"), ref(v, "speed", "offset(5)"))
  same(v.speed, 195)
  m, v = world()
  bind("value <> value", ref(m, "rpm", "R"), ref(v, "speed", "offset(5)"))
  v.speed = 5
  same(m.rpm, 1000)
end)

case("R5 a binding outlives the ref that it was made with", function()
  local m, v = object { n = 1 }, object { n = 0 }
  bind("value -> n", ref(m, "n", "offset(1)"), v)
  for _ = 1, 200 do
    collectgarbage()
    object {}
  end
  m.n = 5
  same(v.n, 6)
  same(#bindings(), 1)
end)

case("R6 a ref of a ref", function()
  local o = object { n = 1 }
  local r = ref(ref(o, "n", "offset(1)"), "value", "scale(10)")
  same(r.value, 20)
  r.value = 50
  same(o.n, 4)
  local t = object { x = 0 }
  bind("value <> x", r, t)
  same(t.x, 50)
  t.x = 100
  same(o.n, 9)
end)

case("R7 it is observed, derived from and bound to a view", function()
  local o, seen = object { n = 1 }, {}
  local r = ref(o, "n", "offset(1)")
  observe(r, "value", function(new, old) seen[#seen + 1] = old .. ">" .. new end)
  local sum = object { twice = computed(function() return r.value * 2 end) }
  o.n = 4
  same(table.concat(seen), "2>5")
  same(sum.twice, 10)
  local label = view.label { dataObject = r, bindTo = { text = "dataObject.value" } }
  same(label.text, "5")
  local field = view.field { bindTo = { text = "<> dataObject.value" } }
  local row = view.row { dataObject = ref(o, "n"), field }
  same(field.text, "4")
  same(isa(r, "ref"), true)
end)

case("R8 unbind and bindings know the ref; unresolved paths and mistakes are told", function()
  local o, t = object { n = 1, inner = property {} }, object { x = 0 }
  local r = ref(o, "n")
  bind("value -> x", r, t)
  same(#bindings(r), 1)
  unbind(r)
  same(#bindings(), 0)
  fails('did you mean "inner"?', ref, o, "iner.x")
  fails("column", ref, o, "n.")
  fails("did you mean", ref, o, "n", "ofset(1)")
  local deep = ref(o, "inner.x")
  same(deep.value, nil)
  fails("leads over nil", function() deep.value = 3 end)
  o.inner = { x = 7 }
  same(deep.value, 7)
  fails("has no property", function() return r.valeu end)
end)

case("R9 a function is bound to a ref", function()
  local o, m = object { cents = 0 }, object { price = 2 }
  bind(ref(o, "cents", "R"), "value", function() return m.price end)
  same(o.cents, 200)
  m.price = 3
  same(o.cents, 300)
end)

case("B16 a command runs on a control's action", function()
  local runs = {}
  local Save = class "Save" {
    ready = true,
    canExecute = computed(function(self) return self.ready end),
    execute = function(self, sender) runs[#runs + 1] = sender.id end,
  }
  local save = Save {}
  local button = view.button { id = "ok", title = "OK", on = { touchUpInside = save } }
  local other = view.button { id = "other" }
  local handler = on(other, "touchUpInside", save)
  send(button, "touchUpInside")
  send(other, "touchUpInside")
  same(table.concat(runs, " "), "ok other")
  save.ready = false
  same(button.enabled, false)
  same(other.enabled, false)
  send(button, "touchUpInside")
  same(#runs, 2)
  save.ready = true
  same(button.enabled, true)
  handler:cancel()
  send(other, "touchUpInside")
  same(#runs, 2)
  save.ready = false
  same(other.enabled, true)
end)

case("R11 a command without canExecute, and one that is no command", function()
  local runs = 0
  local button = view.button {}
  on(button, "touchUpInside", object { execute = function(self, sender)
    runs = runs + 1
    same(sender, button)
  end })
  send(button, "touchUpInside")
  same(runs, 1)
  same(button.enabled, true)
  fails("execute(self, sender)", on, button, "touchUpInside", object { exceute = function() end })
  fails("exceute", on, button, "touchUpInside", object { exceute = function() end })
  fails("did you mean", on, button, "touchUpInsid", object { execute = function() end })
  fails("function or command", on, button, "touchUpInside", 3)
end)

case("R12 canExecute combines with other sources of enabled", function()
  local form = object { valid = true }
  local command = object { canExecute = true, execute = function() end }
  local button = view.button { bindTo = { enabled = "dataObject.valid" }, dataObject = form,
    on = { touchUpInside = command } }
  same(button.enabled, true)
  form.valid = false
  same(button.enabled, false)
  form.valid = true
  command.canExecute = false
  same(button.enabled, false)
  form.valid = false
  command.canExecute = true
  same(button.enabled, false)
  form.valid = true
  same(button.enabled, true)
end)

case("R13 a command ends with its context and waits while that is disabled", function()
  local command = object { canExecute = false, n = 0, execute = function(self) self.n = self.n + 1 end }
  local button = view.button {}
  context("commands", function() on(button, "touchUpInside", command) end)
  same(button.enabled, false)
  command.canExecute = true
  context.disable("commands")
  send(button, "touchUpInside")
  same(command.n, 0)
  context.enable("commands")
  send(button, "touchUpInside")
  same(command.n, 1)
  context.clear("commands")
  send(button, "touchUpInside")
  same(command.n, 1)
end)

case("Y1 several sources make one text", function()
  local person = model "person" { first = "Ada", last = "Lovelace" }
  local label = view.label { id = "label" }
  show(view.column { label })
  local b = bind({ "person.first", "person.last" }, "label.text", { format = "%s %s" })
  same(label.text, "Ada Lovelace")
  person.first = "Mary"
  same(label.text, "Mary Lovelace")
  same(b.description, "person.first, person.last -> label.text")
  b:unbind()
  person.last = "Shelley"
  same(label.text, "Mary Lovelace")
end)

case("Y2 a view's display pattern, from its data object and from models", function()
  model "unit" { name = "kg" }
  local label = view.label { bindTo = { text = {
    path = { "dataObject.amount", "unit.name" }, format = "%.1f %s" } } }
  same(label.text, " kg")
  local column = view.column { dataObject = object { amount = 2 }, label }
  same(label.text, "2.0 kg")
  models.unit.name = "lb"
  same(label.text, "2.0 lb")
  column.dataObject = object { amount = 7 }
  same(label.text, "7.0 lb")
end)

case("Y3 Cocoa's places, in any order and more than once", function()
  local o, t = object { a = "x", b = 2.5, n = 50.0 }, object { s = "" }
  bind({ "a", "b" }, "s", o, t, { format = "%{value2}@-%{value1}@-%{value2}@ 100%%" })
  same(t.s, "2.5-x-2.5 100%")
  bind("n -> s", o, t, { format = "%{value1}@ years" })
  same(t.s, "50 years")
end)

case("Y4 nil shows null or nothing, a path that leads nowhere the fallback", function()
  local o = object { a = property {}, b = "x", child = property {} }
  local t = object { s = "", u = "", w = "", f = "" }
  t.w = "-"
  bind({ "a", "b" }, "s", o, t, { format = "[%s|%s]" })
  same(t.s, "[|x]")
  bind({ "a", "b" }, "u", o, t, { format = "[%{value1}@|%{value2}@]", null = "?" })
  same(t.u, "[?|x]")
  bind({ "child.name", "child.age" }, "w", o, t, { format = "%s %d" })
  same(t.w, "-")
  bind({ "child.name", "b" }, "f", o, t, { format = "%s %s", fallback = "none" })
  same(t.f, "none")
  o.a = 3
  same(t.s, "[3|x]")
  o.child = { name = "n", age = 4 }
  same(t.w, "n 4")
  same(t.f, "n x")
  o.child = nil
  same(t.w, "")
  same(t.f, "none")
end)

case("Y5 a pattern with more places than values is refused, and other mistakes", function()
  local o, t = object { a = 1, b = 2 }, object { s = "" }
  fails("there are 2 values", bind, { "a", "b" }, "s", o, t, { format = "%s %s %s" })
  fails("wants value 3", bind, { "a", "b" }, "s", o, t, { format = "%{value3}@" })
  fails("one value only", bind, "a -> s", o, t, { format = "%{value2}@" })
  fails("use the one or the other", bind, { "a", "b" }, "s", o, t, { format = "%s %{value1}@" })
  fails("expected %{value1}@", bind, { "a" }, "s", o, t, { format = "%{title}@" })
  fails("expected %{value1}@", bind, { "a" }, "s", o, t, { format = "%{value1}" })
  fails("expected %{value1}@", bind, { "a" }, "s", o, t, { format = "%{value0}@" })
  fails("invalid conversion", bind, { "a" }, "s", o, t, { format = "%" })
  fails("format", bind, { "a", "b" }, "s", o, t)
  fails("at least", bind, {}, "s", o, t, { format = "x" })
  fails('no property "bb"', bind, { "a", "bb" }, "s", o, t, { format = "%s%s" })
  fails("column 3", bind, { "a", "b." }, "s", o, t, { format = "%s%s" })
  fails("paths", bind, { 1 }, "s", o, t, { format = "%s" })
  local b = bind({ "a", "b" }, "s", o, t, { format = "%d %d" })
  same(t.s, "1 2")
  o.a = 1.5
  same(b.error.code, "conversion")
  same(t.s, "1 2")
  o.a = 4
  same(b.error, nil)
end)

case("Y6 names of a pattern are waited for, and listed while they are missing", function()
  local t = object { s = "" }
  bind({ "later.a", "later.b" }, "target.s", { format = "%s%s", roots = { target = t } })
  same(t.s, "")
  model "later" { a = "x", b = "y" }
  view.label {}
  context("again", function() end)
  bind({ "later.a" }, "target.s", { format = "<%s>", roots = { target = t } })
  same(t.s, "<x>")
end)

case("Y7 it updates once for several changes, and ends with a source", function()
  local a, t, writes = object { x = "1", y = "2" }, object { s = "" }, 0
  local other = object { z = "3" }
  bind({ "r.x", "r.y", "o.z" }, "t.s", { format = "%s%s%s", roots = { r = a, o = other, t = t },
    observe = function() writes = writes + 1 end })
  same(t.s, "123")
  batch(function() a.x = "4" a.y = "5" other.z = "6" end)
  same(t.s, "456")
  same(writes, 2)
  other = nil
  for _ = 1, 300 do
    collectgarbage()
    object {}
  end
  same(#bindings(), 0)
  same(#errors(), 0)
end)

case("Y8 a list, a transformer and a condition go with a pattern", function()
  local o, t = object { items = { 1, 2 }, name = "n", on = true }, object { s = "" }
  bind({ "name", "items.@count" }, "s", o, t, { format = "%s: %d", transform = "uppercase",
    when = "on" })
  same(t.s, "N: 2")
  o.items:append(3)
  same(t.s, "N: 3")
  o.on = false
  o.name = "m"
  same(t.s, "N: 3")
  o.on = true
  same(t.s, "M: 3")
end)

case("Y9 names are found as soon as the model is declared or the view is shown", function()
  bind("fruit.name -> title.text")
  local early = view.label { bindTo = { text = "fruit.name" } }
  model "fruit" { name = "apple" }
  same(early.text, "apple")
  show(view.column { view.label { id = "title" } })
  same(views.title.text, "apple")
  bind({ "basket.owner", "fruit.name" }, "title.text", { format = "%s: %s" })
  same(views.title.text, "apple")
  model "basket" { owner = "Ada" }
  same(views.title.text, "Ada: apple")
  same(#errors(), 0)
end)

case("Y10 what waits for names ends with its context, and when it is unbound", function()
  local t = object { a = "", b = "", c = "" }
  context("gone", function() bind("late.x -> t.a", { roots = { t = t } }) end)
  context.clear("gone")
  local ended = bind("late.x -> t.b", { roots = { t = t } })
  ended:unbind()
  local resting = bind("late.x -> t.c", { roots = { t = t } })
  resting:disable()
  local label
  context("views", function() label = view.label { bindTo = { text = "late.x" } } end)
  context.clear("views")
  model "late" { x = "here" }
  same(t.a .. t.b .. t.c .. label.text, "")
  same(#bindings(t), 1)
  resting:enable()
  same(t.c, "here")
  same(resting.enabled, true)
end)

case("Y11 unbound before it has its ends, a binding may be given them all the same", function()
  local a, b = object { x = 1 }, object { x = 0 }
  local made = binding "x -> x"
  made:unbind()
  made:connect(a, b)
  same(b.x, 1)
end)
