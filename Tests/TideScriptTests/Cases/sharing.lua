-- Several bindings of one property of a view.

-- Sets a property, and looks whether that leaves the button enabled.
local function set(object, name, value, button, enabled)
  object[name] = value
  same(button.enabled, enabled)
end

case("S1 enabled is and", function()
  local form, button = object { named = true, aged = false }, view.button {}
  local named = bind("named -> enabled", form, button)
  same(button.enabled, true)
  local aged = bind("aged -> enabled", form, button)
  same(button.enabled, false)
  set(form, "aged", true, button, true)
  set(form, "named", false, button, false)
  form.aged = false
  named:unbind()
  same(button.enabled, false)
  set(form, "aged", true, button, true)
end)

case("S2 hidden is or", function()
  local a, b, label = object { x = false }, object { x = true }, view.label { text = "" }
  bind("x -> hidden", a, label)
  local second = bind("x -> hidden", b, label)
  same(label.hidden, true)
  b.x = false
  same(label.hidden, false)
  batch(function() a.x = true b.x = false end)
  same(label.hidden, true)
  batch(function() a.x = false b.x = true end)
  same(label.hidden, true)
  second:unbind()
  same(label.hidden, false)
end)

case("S3 editable is and, through transformers and paths", function()
  local a, field = object { inner = object { locked = false }, n = 1 }, view.field { text = "" }
  bind("inner.locked -> editable | not", a, field)
  bind("n -> editable | equals(1)", a, field)
  same(field.editable, true)
  a.inner = object { locked = true }
  same(field.editable, false)
  a.inner.locked = false
  same(field.editable, true)
  a.n = 2
  same(field.editable, false)
end)

case("S4 a lone binding simply writes, and a write by hand stands until the next change", function()
  local a, button = object { x = false }, view.button {}
  bind("x -> enabled", a, button)
  same(button.enabled, false)
  button.enabled = true
  same(button.enabled, true)
  a.x = true
  a.x = false
  same(button.enabled, false)
end)

case("S5 what a source that is gone said counts no more", function()
  local b, label = object { x = false }, view.label { text = "" }
  do
    local a = object { x = true }
    bind("x -> hidden", a, label)
    bind("x -> hidden", b, label)
  end
  same(label.hidden, true)
  for _ = 1, 2000 do
    collectgarbage()
    object {}
  end
  same(#bindings(), 1)
  same(label.hidden, false)
end)

case("S6 of two bindings with conditions that fire together, the active one writes", function()
  local a, b = object { x = 1, first = true, second = false }, object { y = 0 }
  bind("x -> y", a, b, { when = "first" })
  bind("x -> y", a, b, { when = "second", transform = function(x) return -x end })
  same(b.y, 1)
  a.x = 2
  same(b.y, 2)
  batch(function() a.first = false a.second = true end)
  a.x = 3
  same(b.y, -3)
end)

case("S7 nested targets share too, and let go where the path leads elsewhere", function()
  local a, b = object { x = true }, object { x = true }
  local one, two = view.button {}, view.button {}
  local holder = object { view = property {} }
  holder.view = one
  bind("x -> view.enabled", a, holder)
  bind("x -> enabled", b, one)
  bind("x -> enabled", b, two)
  set(a, "x", false, one, false)
  same(two.enabled, true)
  b.x = false
  set(a, "x", true, one, false)
  set(b, "x", true, one, true)
  set(a, "x", false, one, false)
  set(holder, "view", two, one, true)
  same(two.enabled, false)
  set(holder, "view", nil, two, true)
end)
