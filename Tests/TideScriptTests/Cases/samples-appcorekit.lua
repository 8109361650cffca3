-- The samples of AppCoreKit's "Bindings for iOS".

case("AppCoreKit's button: the model decides, the button shows it and acts on it", function()
  local model, button = object { myBool = false }, view.button { tag = 10, title = "B" }
  local root = view.column { button }
  local controller = object { name = "controller" }
  local function viewWillAppear()
    context(controller, function()
      local myButton = root:find { tag = 10 }
      observe(model, "myBool", function() myButton.selected = model.myBool end, { initial = true })
      on(myButton, "touchUpInside", function() model.myBool = not model.myBool end)
    end)
  end
  viewWillAppear()
  same(button.selected, false)
  send(button, "touchUpInside")
  same(model.myBool, true)
  same(button.selected, true)
  model.myBool = false
  same(button.selected, false)
  -- Appearing again removes what was there: one press is one change.
  viewWillAppear()
  send(button, "touchUpInside")
  same(model.myBool, true)
end)

case("AppCoreKit's text field: both ways without a loop", function()
  local model, field = object { myString = "a" }, view.field {}
  local writes = 0
  context("fields", function()
    observe(model, "myString", function()
      if field.text ~= model.myString then field.text = model.myString end
    end, { initial = true })
    on(field, "editingChanged", function()
      writes = writes + 1
      model.myString = field.text
    end)
  end)
  same(field.text, "a")
  field.text = "b"
  send(field, "editingChanged")
  same(model.myString, "b")
  model.myString = "c"
  same(field.text, "c")
  same(writes, 1)
end)

case("AppCoreKit's text field in one line", function()
  local model, field = object { myString = "a" }, view.field {}
  bind("myString <> text", model, field)
  field.text = "b"
  same(model.myString, "b")
  model.myString = "c"
  same(field.text, "c")
end)

case("AppCoreKit's object bindings: to an object, to a block, now and later, any property", function()
  local o, target, seen = object { n = 1, s = "x" }, object { m = 0 }, {}
  bind("n -> m", o, target)
  same(target.m, 1)
  observe(o, "n", function(value) seen[#seen + 1] = "later" .. value end)
  observe(o, "n", function(value) seen[#seen + 1] = "now" .. value end, { initial = true })
  observe(o, function(name, value) seen[#seen + 1] = name .. value end)
  o.n = 2
  o.s = "y"
  same(target.m, 2)
  table.sort(seen)
  same(table.concat(seen, " "), "later2 n2 now1 now2 sy")
end)

case("AppCoreKit's control bindings: with a block, at once, and with a target's method", function()
  local Target = class "Target" { pressed = 0,
    press = function(self) self.pressed = self.pressed + 1 end }
  local button, target, seen = view.button {}, Target {}, 0
  on(button, "touchUpInside", function() seen = seen + 1 end)
  on(button, "touchUpInside", function() seen = seen + 10 end, { initial = true })
  on(button, "touchUpInside", function() target:press() end)
  same(seen, 10)
  send(button, "touchUpInside")
  same(seen, 21)
  same(target.pressed, 1)
end)

case("AppCoreKit's notification bindings: by name, by sender", function()
  local sender, seen = object { id = 1 }, {}
  notification.observe("changed", function(note) seen[#seen + 1] = "any " .. note.name end)
  notification.observe("changed", sender, function(note) seen[#seen + 1] = "one " .. note.info end)
  notification.post("changed", sender, "info")
  notification.post("changed")
  same(table.concat(seen, ", "), "any changed, one info, any changed")
end)

case("AppCoreKit's collection bindings: insertion and removal, at once or later", function()
  local items, seen = list { "a", "b" }, {}
  local function tell(change)
    seen[#seen + 1] = change.kind .. ":" .. table.concat(change.indexes, "+") .. "="
      .. table.concat(change.objects, "+")
  end
  items:observe(tell, { insertion = true, removal = true, initial = true })
  items:observe(tell, { removal = true })
  items:insert(1, "c", "d")
  items:remove(4)
  same(table.concat(seen, " "),
    "insertion:1+2=a+b insertion:1+2=c+d removal:4=b removal:4=b")
end)

case("AppCoreKit's contexts: begun, nested, several by purpose, cleared together", function()
  local m, t = object { n = 1 }, object { a = 0, b = 0, c = 0 }
  local me = object { name = "me" }
  context.begin("MyPurpose_" .. tostring(me), { policy = "replace" })
  bind("n -> a", m, t)
  context.begin(me)
  bind("n -> b", m, t)
  context.finish()
  bind("n -> c", m, t)
  context.finish()
  context.clear(me)
  m.n = 2
  same(t.a, 2)
  same(t.b, 1)
  same(t.c, 2)
  context.clear("MyPurpose_" .. tostring(me))
  m.n = 3
  same(t.a, 2)
  same(t.c, 2)
end)

case("AppCoreKit's warning: a closure with a weak reference does not keep its context's owner", function()
  local model, calls = object { myString = "a" }, 0
  local function appear()
    local controller = object { color = "" }
    local weak = setmetatable({ controller }, { __mode = "v" })
    context(controller, function()
      observe(model, "myString", function()
        calls = calls + 1
        weak[1].color = "red"
      end, { initial = true })
    end)
    same(controller.color, "red")
  end
  appear()
  for _ = 1, 2000 do
    collectgarbage()
    object {}
  end
  model.myString = "b"
  same(calls, 1)
  same(#errors(), 0)
end)
