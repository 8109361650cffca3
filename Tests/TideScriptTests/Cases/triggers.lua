-- What makes a binding carry its value.

local function pair() return object { x = "s" }, object { y = "t" } end

case("D4 a stopped trigger fires nothing, of either kind", function()
  local a, b = pair()
  local c = object { n = 0 }
  local change, note = trigger.change(c, "n"), trigger.notification("go")
  local made = bind("x -> y", a, b, { trigger = { change, note } })
  a.x = "u"
  c.n = 1
  same(b.y, "u")
  a.x = "v"
  made:remove(change)
  c.n = 2
  same(b.y, "u")
  notification.post("go")
  same(b.y, "v")
  made:remove(note)
  a.x = "w"
  notification.post("go")
  same(b.y, "v")
end)

case("D5 a notification-triggered binding pushes at first, then nothing until it is posted", function()
  local a, b = pair()
  bind("x -> y", a, b, { trigger = trigger.notification("go") })
  same(b.y, "s")
  a.x = "u"
  same(b.y, "s")
  notification.post("other")
  same(b.y, "s")
  notification.post("go")
  same(b.y, "u")
end)

case("D6 a notification of another sender is ignored", function()
  local a, b = pair()
  bind("x -> y", a, b, { trigger = trigger.notification("go", a) })
  a.x = "u"
  notification.post("go", b)
  notification.post("go")
  same(b.y, "s")
  notification.post("go", a)
  same(b.y, "u")
end)

case("D7b unbinding stops all triggers", function()
  local a, b = pair()
  local runs = 0
  local made = bind("x -> y", a, b, {
    trigger = { trigger.notification("go"), trigger.every(1), trigger.change(a, "x") },
    transform = function(x) runs = runs + 1 return x end })
  made:unbind()
  runs = 0
  a.x = "u"
  notification.post("go")
  advance(5)
  same(runs, 0)
  same(b.y, "s")
  made:remove(trigger.manual())
  made:add(trigger.every(1))
  advance(5)
  same(runs, 0)
end)

case("D10 a trigger added later is live; a removed one is not", function()
  local a, b = pair()
  local made = bind("x -> y", a, b, { trigger = trigger.manual() })
  local late = trigger.notification("go")
  a.x = "u"
  notification.post("go")
  same(b.y, "s")
  same(made:add(late), made)
  notification.post("go")
  same(b.y, "u")
  a.x = "v"
  made:remove(late)
  notification.post("go")
  same(b.y, "u")
  made:fire()
  same(b.y, "v")
end)

case("D13 a binding by hand carries its value on fire alone", function()
  local a, b = pair()
  local made = bind("x -> y", a, b, { trigger = trigger.manual(), initial = false })
  a.x = "u"
  same(b.y, "t")
  made:fire()
  same(b.y, "u")
end)

case("D14 a timer fires a binding until it is removed", function()
  local a, b = object { n = 1 }, object { n = 0 }
  local tick = trigger.every(0.5)
  local made = bind("n -> n", a, b, { trigger = tick })
  same(b.n, 1)
  a.n = 2
  advance(0.4)
  same(b.n, 1)
  advance(0.2)
  same(b.n, 2)
  made:disable()
  a.n = 3
  advance(5)
  same(b.n, 2)
  made:enable()
  advance(1)
  same(b.n, 3)
  made:remove(tick)
  a.n = 4
  advance(5)
  same(b.n, 3)
end)

case("D15 a control's event fires a binding", function()
  local field, person = view.field { text = "a" }, object { name = "" }
  bind("text -> name", field, person, { trigger = trigger.event(field, "editingDidEnd") })
  same(person.name, "a")
  field.text = "b"
  same(person.name, "a")
  send(field, "editingDidEnd")
  same(person.name, "b")
  fails('has no event "editingDidEnt"; did you mean "editingDidEnd"?', trigger.event, field, "editingDidEnt")
end)

case("D16 a method's call fires a binding after it", function()
  local Form = class "Form" { text = "", submit = function(self, text, more)
    self.text = text
    return text, more
  end }
  local form, other, person = Form {}, Form {}, object { name = "" }
  local called = trigger.call(form, "submit")
  local made = bind("text -> name", form, person, { trigger = called })
  form.text = "a"
  same(person.name, "")
  other:submit("z")
  same(person.name, "")
  local first, second = form:submit("b", 2)
  same(first .. second, "b2")
  same(person.name, "b")
  made:remove(called)
  form:submit("c")
  same(person.name, "b")
  fails('has no method "submid"; did you mean "submit"?', trigger.call, form, "submid")
end)

case("D17 a method that fails fires nothing, and raises as before", function()
  local box = object { v = 0, put = function(self, v)
    self.v = v
    if v < 0 then error("less than nothing", 0) end
  end }
  local seen = object { v = -1 }
  bind("v -> v", box, seen, { trigger = trigger.call(box, "put") })
  same(seen.v, 0)
  fails("less than nothing", function() box:put(-2) end)
  same(seen.v, 0)
  box:put(3)
  same(seen.v, 3)
end)

case("D18 of a two-way binding the way back follows changes", function()
  local a, b = pair()
  bind("x <> y", a, b, { trigger = trigger.notification("go") })
  a.x = "u"
  same(b.y, "s")
  b.y = "back"
  same(a.x, "back")
  a.x = "forth"
  notification.post("go")
  same(b.y, "forth")
  same(a.x, "forth")
end)

case("D19 triggers may be added before a binding has its ends", function()
  local a, b = pair()
  local made = binding("x -> y", { trigger = trigger.manual() })
  made:add(trigger.notification("go"))
  made:connect(a, b)
  a.x = "u"
  same(b.y, "s")
  notification.post("go")
  same(b.y, "u")
end)

case("D20 a disabled binding remembers a change and drops a notification", function()
  local a, b, c = object { x = "s" }, object { y = "t" }, object { n = 0 }
  local made = bind("x -> y", a, b, {
    trigger = { trigger.notification("go"), trigger.change(c, "n") }, enabled = false })
  same(b.y, "t")
  made:enable()
  same(b.y, "s")
  made:disable()
  a.x = "u"
  notification.post("go")
  made:enable()
  same(b.y, "s")
  made:disable()
  c.n = 1
  made:enable()
  same(b.y, "u")
end)

case("D21 wrong triggers are told", function()
  local a, b = pair()
  fails('no property "z"', trigger.change, a, "z")
  fails("0.001 seconds or less often", trigger.every, 0)
  fails('the option "trigger" of bind is a trigger', bind, "x -> y", a, b, { trigger = "x" })
  fails("trigger expected", function() bind("x -> y", a, b):add("x") end)
  fails("this binding has no such trigger", function() bind("x -> y", a, b):remove(trigger.manual()) end)
  fails("view expected", trigger.event, a, "touchUpInside")
end)

case("K5b a cleared context stops its triggers", function()
  local a, b = pair()
  context("form", function() bind("x -> y", a, b, { trigger = trigger.every(1) }) end)
  a.x = "u"
  advance(1)
  same(b.y, "u")
  context.clear("form")
  a.x = "v"
  advance(5)
  same(b.y, "u")
end)

case("D22 a method that nobody watches any more is as it was", function()
  local Delegate = class "Delegate" { run = function(self) return "ran" end }
  local before = Delegate.run
  local d, a, b = Delegate {}, object { x = 1 }, object { y = 0 }
  local one = bind("x -> y", a, b, { trigger = trigger.call(d, "run") })
  local two = bind("x -> y", a, b, { trigger = trigger.call(d, "run") })
  assert(Delegate.run ~= before)
  one:unbind()
  a.x = 2
  same(d:run(), "ran")
  same(b.y, 2)
  two:unbind()
  same(Delegate.run, before)
  same(d:run(), "ran")
  bind("x -> y", a, b, { trigger = trigger.call(d, "run") })
  a.x = 3
  d:run()
  same(b.y, 3)
end)
