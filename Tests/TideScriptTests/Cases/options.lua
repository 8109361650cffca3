-- When a binding carries its value, and what it does with it.

case("O1 delay waits for quiet", function()
  local a, b = object { x = 0 }, object { y = -1 }
  local made = bind("x -> y", a, b, { delay = 0.3 })
  same(b.y, 0)
  a.x = 1
  advance(0.2)
  a.x = 2
  advance(0.2)
  same(b.y, 0)
  advance(0.2)
  same(b.y, 2)
  a.x = 3
  made:unbind()
  advance(5)
  same(b.y, 2)
end)

case("O2 throttle carries the first at once and the latest afterwards", function()
  local a, b = object { x = 0 }, object { y = -1 }
  local writes = 0
  bind("x -> y", a, b, { throttle = 1, observe = function() writes = writes + 1 end, initial = false })
  a.x = 1
  same(b.y, 1)
  a.x = 2
  a.x = 3
  same(b.y, 1)
  advance(0.5)
  same(b.y, 1)
  advance(0.6)
  same(b.y, 3)
  same(writes, 2)
  advance(2)
  a.x = 4
  same(b.y, 4)
end)

case("O3 deliver frame gathers until the next frame", function()
  local a, b = object { x = 0 }, object { y = -1 }
  local writes = 0
  bind("x -> y", a, b, { deliver = "frame", observe = function() writes = writes + 1 end })
  same(b.y, 0)
  writes = 0
  a.x = 1
  a.x = 2
  same(b.y, 0)
  advance(0.02)
  same(b.y, 2)
  same(writes, 1)
end)

-- Sets properties, and looks what that leaves in `y` of the bound object.
local function watching(bound)
  return function(expected, object, name, value)
    object[name] = value
    same(bound.y, expected)
  end
end

case("O4 when: active only while a function gives true", function()
  local a, b, switch = object { x = 0 }, object { y = -1 }, object { on = false }
  bind("x -> y", a, b, { when = function() return switch.on end })
  local leaves = watching(b)
  same(b.y, -1)
  leaves(-1, a, "x", 1)
  leaves(1, switch, "on", true)
  leaves(2, a, "x", 2)
  leaves(2, switch, "on", false)
  leaves(2, a, "x", 3)
  leaves(3, switch, "on", true)
end)

case("O5 when: a path from the left object", function()
  local a, b = object { x = 0, on = true }, object { y = -1 }
  bind("x -> y", a, b, { when = "on" })
  same(b.y, 0)
  local leaves = watching(b)
  leaves(0, a, "on", false)
  leaves(0, a, "x", 1)
  leaves(1, a, "on", true)
  fails('no property "onn"', bind, "x -> y", a, b, { when = "onn" })
end)

case("O6 restore puts back the value from before", function()
  local a, b = object { x = "bound", on = false }, object { y = "before" }
  bind("x -> y", a, b, { when = "on", restore = true })
  same(b.y, "before")
  a.on = true
  same(b.y, "bound")
  a.x = "more"
  same(b.y, "more")
  a.on = false
  same(b.y, "before")
  b.y = "other"
  carries(a, "on", b, "y", { { true, "more" }, { false, "other" } })
end)

case("O6a restore puts it back when the binding waits or ends, by itself or with its context", function()
  local a, b = object { x = 1 }, object { y = 0, z = 0 }
  local function open(name)
    context(name, function()
      bind("x -> y", a, b, { restore = true })
      bind("x -> z", a, b, { restore = true })
    end)
  end
  local function shows(y, z)
    same(b.y, y)
    same(b.z, z)
  end
  open("shown")
  shows(1, 1)
  context.disable("shown")
  shows(0, 0)
  a.x = 2
  shows(0, 0)
  context.enable("shown")
  shows(2, 2)
  open("shown")
  shows(2, 2)
  context.clear("shown")
  shows(0, 0)
  context("outer", function() open("inner") end)
  shows(2, 2)
  context.clear("outer")
  shows(0, 0)
  local bound = bind("x -> y", a, b, { restore = true })
  bound.enabled = false
  same(b.y, 0)
  b.y = -1
  bound.enabled = true
  same(b.y, 2)
  bound:unbind()
  same(b.y, -1)
  same(#errors(), 0)
end)

case("O6b what is put back into a two-way binding's target is not carried back", function()
  local a, b = object { x = "bound" }, object { y = "before" }
  local bound = bind("x <> y", a, b, { restore = true })
  b.y = "edited"
  same(a.x, "edited")
  bound.enabled = false
  same(b.y, "before")
  same(a.x, "edited")
  batch(function() bound.enabled = true end)
  same(a.x, "edited")
  same(b.y, "edited")
  bound:unbind()
  same(a.x, "edited")
  same(b.y, "before")
end)

case("O6c two bindings of one property leave what stood there before both", function()
  local a, b, c = object { x = 1 }, object { x = 2 }, object { y = 0 }
  context("both", function()
    bind("x -> y", a, c, { restore = true })
    bind("x -> y", b, c, { restore = true })
  end)
  same(c.y, 2)
  context.clear("both")
  same(c.y, 0)
end)

case("O6d an object that is gone is no end on purpose", function()
  local a, b = object { x = 1 }, object { y = 0 }
  bind("x -> y", a, b, { restore = true })
  same(b.y, 1)
  a = nil
  collectgarbage() collectgarbage()
  same(#bindings(b), 0)
  same(b.y, 1)
end)

case("O7 the condition and the source may change in one batch", function()
  local a, b = object { x = 0, on = false }, object { y = -1 }
  bind("x -> y", a, b, { when = "on" })
  batch(function() a.on = true a.x = 5 end)
  same(b.y, 5)
  batch(function() a.x = 6 a.on = false end)
  same(b.y, 5)
end)

case("O8 validate accepts, replaces or refuses", function()
  local field, person = view.field { text = "40" }, object { age = 0 }
  local made = bind("text -> age", field, person, { fallback = -1, validate = function(age)
    if age < 0 then return nil, "nobody is that young" end
    return math.min(age, 120)
  end })
  same(person.age, 40)
  field.text = "200"
  same(person.age, 120)
  field.text = "-5"
  same(person.age, 120)
  same(made.error.message, "nobody is that young")
  same(made.error.code, "refused")
  same(#errors(), 0)
  same(#errors { editing = true }, 1)
  same(field.error, "nobody is that young")
  field.text = "7"
  same(person.age, 7)
  same(made.error, nil)
  same(field.error, nil)
end)

case("O9 a field that is not continuous commits at the end of editing", function()
  local field, person = view.field { text = "" }, object { name = "ab" }
  bind("name <> text", person, field, { continuous = false })
  same(field.text, "ab")
  press(field, "c")
  press(field, "d")
  same(field.text, "abcd")
  same(person.name, "ab")
  press(field, "Enter")
  same(person.name, "abcd")
  person.name = "x"
  same(field.text, "x")
  field.text = "y"
  same(person.name, "y")
end)

case("O10 placeholders stand for markers", function()
  local a, b = object { v = property {} }, object { text = "" }
  bind("v -> text | uppercase", a, b, {
    noSelection = "none", multipleValues = "several", notApplicable = "n/a", null = "nil" })
  same(b.text, "nil")
  carries(a, "v", b, "text", {
    { NoSelection, "none" }, { MultipleValues, "several" }, { NotApplicable, "n/a" }, { "x", "X" } })
end)

case("O11 of a two-way binding a placeholder is not written back", function()
  local a, b = object { v = property {} }, object { text = "" }
  bind("v <> text", a, b, { multipleValues = "several", null = "(none)" })
  same(b.text, "(none)")
  same(a.v, nil)
  a.v = MultipleValues
  same(b.text, "several")
  same(a.v, MultipleValues)
  b.text = "all"
  same(a.v, "all")
end)

case("O12 with delay the latest change wins, at whichever end it was", function()
  local a, b = object { x = "s" }, object { y = "" }
  bind("x <> y", a, b, { delay = 1 })
  local function hold(seconds, object, name, value)
    object[name] = value
    advance(seconds)
  end
  same(b.y, "s")
  hold(0.5, a, "x", "left")
  hold(5, b, "y", "right")
  same(a.x, "right")
  same(b.y, "right")
  hold(1.01, a, "x", "typed")
  hold(0.9, a, "x", "typed on")
  same(a.x, "typed on")
  advance(0.2)
  same(b.y, "typed on")
end)

case("O13 delay, disabled meanwhile, is delivered on enabling", function()
  local a, b = object { x = 0 }, object { y = -1 }
  local made = bind("x -> y", a, b, { delay = 1 })
  a.x = 1
  made:disable()
  advance(5)
  same(b.y, 0)
  made:enable()
  same(b.y, 1)
end)

case("O14 what waits ends with the object", function()
  local a, b = object { x = 0 }, object { y = -1 }
  bind("x -> y", a, b, { delay = 1 })
  a.x = 1
  a = nil
  -- A script's collection is a bounded step; many make a whole cycle.
  for _ = 1, 2000 do
    collectgarbage()
    object {}
  end
  advance(5)
  same(#bindings(), 0)
  same(#errors(), 0)
  same(b.y, 0)
end)

case("O15 a trigger goes through delay and when", function()
  local a, b = object { x = 0, on = true }, object { y = -1 }
  bind("x -> y", a, b, { trigger = trigger.notification("go"), delay = 1, when = "on" })
  a.x = 1
  notification.post("go")
  same(b.y, 0)
  advance(1.1)
  same(b.y, 1)
  a.x = 2
  notification.post("go")
  a.on = false
  advance(5)
  same(b.y, 1)
  a.on = true
  same(b.y, 2)
end)

case("O16 options work on nested targets and functions", function()
  local a, b = object { x = 1 }, object { inner = object { y = 0 } }
  bind("x -> inner.y", a, b, { delay = 1 })
  same(b.inner.y, 1)
  a.x = 2
  same(b.inner.y, 1)
  advance(1.1)
  same(b.inner.y, 2)
  b.inner = object { y = 0 }
  same(b.inner.y, 2)
  local label = view.label { text = "" }
  bind(label, "text", function() return "x" .. a.x end, { throttle = 1 })
  same(label.text, "x2")
  a.x = 3
  same(label.text, "x3")
  a.x = 4
  same(label.text, "x3")
  advance(1.1)
  same(label.text, "x4")
end)

case("O17 wrong options are told", function()
  local a, b = object { x = 0 }, object { y = 0 }
  fails('the option "delay" of bind is a number of seconds', bind, "x -> y", a, b, { delay = "1" })
  fails('the option "throttle" of bind is a number of seconds', bind, "x -> y", a, b, { throttle = -1 })
  fails('the option "deliver" of bind is "settle" or "frame"', bind, "x -> y", a, b, { deliver = "now" })
  fails('the option "when" of bind is a function or a path', bind, "x -> y", a, b, { when = 1 })
  fails('the option "validate" of bind is a function', bind, "x -> y", a, b, { validate = 1 })
  fails('the option "continuous" of bind is true or false', bind, "x -> y", a, b, { continuous = 1 })
  fails('did you mean "delay"?', bind, "x -> y", a, b, { dely = 1 })
  same(#bindings(), 0)
end)

case("O18 a condition that fails is listed and does not hold", function()
  local a, b = object { x = 0, on = true }, object { y = -1 }
  local made = bind("x -> y", a, b, { when = function()
    if a.x == 3 then error("no threes", 0) end
    return a.on
  end })
  same(b.y, 0)
  a.x = 3
  same(errors()[1].message:match("no threes"), "no threes")
  same(made.error.message:match("no threes"), "no threes")
  same(b.y, 0)
  a.x = 4
  same(b.y, 4)
  same(#errors(), 0)
end)

case("O19 what a person typed stays as typed when a two-way binding has a condition", function()
  local person, field = object { n = 1.5, on = true }, view.field { text = "" }
  bind("n <> text", person, field, { when = "on" })
  same(field.text, "1.5")
  field.text = "2.50"
  same(person.n, 2.5)
  same(field.text, "2.50")
  person.on = false
  field.text = "7"
  same(person.n, 2.5)
end)

case("O20 validatesImmediately tells what is wrong while it is typed, and carries at the end", function()
  local person = object { age = property { default = 1, type = "integer", validate = function(_, v)
    if v > 150 then return nil, "nobody is so old" end
    return v
  end } }
  local field, other = view.field {}, view.field {}
  show(view.column { field, other })
  bind("age <> text", person, field, { continuous = false, validatesImmediately = true })
  field:focus()
  keys("End 2 3")
  same(field.text, "123")
  same(field.error, nil)
  same(person.age, 1)
  keys("4")
  same(field.error, "nobody is so old")
  same(person.age, 1)
  keys("Backspace")
  same(field.error, nil)
  keys("x")
  assert(field.error)
  keys("Backspace Tab")
  same(field.error, nil)
  same(person.age, 123)
end)

case("O9 what is typed and not committed is merged with what the model comes to", function()
  local field, person = view.field { text = "" }, object { name = "ab" }
  bind("name <> text", person, field, { continuous = false })
  press(field, "End")
  press(field, "c")
  person.name = "Xab"
  same(field.text, "Xabc")
  same(person.name, "Xab")
  press(field, "d")
  person.name = "ab"
  same(field.text, "abcd")
  press(field, "Enter")
  same(person.name, "abcd")
end)

case("O9 what is typed and not committed goes to the object that it was typed for", function()
  local desk = model "desk" { current = property { nullable = true } }
  local one, two = object { name = "one" }, object { name = "two" }
  desk.current = one
  local field = view.field { bindTo = { text = { path = "<> desk.current.name", continuous = false } } }
  show(view.column { field })
  field:focus()
  press(field, "End")
  press(field, "!")
  same(one.name, "one")
  desk.current = two
  same(one.name, "one!")
  same(two.name, "two")
  same(field.text, "two")
  press(field, "End")
  press(field, "?")
  desk.current = nil
  same(two.name, "two?")
end)

case("O12b typed text that waits for a delay is merged with a new text of the model", function()
  for _, way in ipairs { "typing", "left" } do
    local m = object { text = "one two" }
    local field = view.field {}
    bind("text <> text", m, field, { delay = 1 })
    show(view.column { field, view.button { id = "aside" } })
    field:focus()
    keys "End Space t h r e e"
    if way == "left" then views.aside:focus() end
    m.text = "ONE two"
    same(field.text, "ONE two three")
    views.aside:focus()
    advance(2)
    same(m.text, "ONE two three")
  end
end)
