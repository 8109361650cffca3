-- The samples of the Bindings library's manual.

case("Bindings' person and text field: a property to a property, with a trigger for each change", function()
  local person, field = object { name = "Jimmy" }, view.field {}
  local binding = bind("name -> text", person, field, { trigger = trigger.change(person, "name") })
  same(field.text, "Jimmy")
  person.name = "Ada"
  same(field.text, "Ada")
  binding:unbind()
  person.name = "Eve"
  same(field.text, "Ada")
end)

case("Bindings' way back: a notification of the text field updates the person", function()
  local person, field, other = object { name = "Jimmy" }, view.field { text = "x" }, view.field {}
  local binding = bind("text -> name", field, person, { initial = false, trigger = trigger.manual() })
  binding:add(trigger.notification("UITextFieldTextDidChangeNotification", field))
  same(person.name, "Jimmy")
  field.text = "Ada"
  same(person.name, "Jimmy")
  notification.post("UITextFieldTextDidChangeNotification", other)
  same(person.name, "Jimmy")
  notification.post("UITextFieldTextDidChangeNotification", field)
  same(person.name, "Ada")
end)

case("Bindings' both ways by two bindings and target-action", function()
  local person, field = object { name = "Jimmy" }, view.field {}
  bind("name -> text", person, field)
  bind("text -> name", field, person, { trigger = trigger.event(field, "editingDidEnd") })
  field.text = "Ada"
  same(person.name, "Jimmy")
  send(field, "editingDidEnd")
  same(person.name, "Ada")
  person.name = "Eve"
  same(field.text, "Eve")
end)

case("Bindings' delegation: a call of a delegate's method updates the binding", function()
  local Delegate = class "Delegate" { changes = 0,
    textDidChange = function(self) self.changes = self.changes + 1 end }
  local delegate, field, person = Delegate {}, view.field { text = "a" }, object { name = "" }
  bind("text -> name", field, person, { trigger = trigger.call(delegate, "textDidChange") })
  same(person.name, "a")
  field.text = "b"
  same(person.name, "a")
  delegate:textDidChange()
  same(person.name, "b")
  same(delegate.changes, 1)
end)

case("Bindings' string to number: a transformer stands in for the destination's property", function()
  local source, destination = object { text = "250" }, object { amount = property {} }
  local property = ref(destination, "amount", "!number")
  bind("text -> value", source, property)
  same(destination.amount, 250)
  same(property.value, "250")
  source.text = "1.5"
  same(destination.amount, 1.5)
end)

case("Bindings' string to number at the source, and a transformer in place of a property again", function()
  transformer "twice" { transform = function(n) return n * 2 end,
    reverse = function(n) return n / 2 end }
  local source, destination = object { text = "250" }, object { amount = property {} }
  local number = ref(source, "text", "number")
  local twice = ref(number, "value", "twice")
  bind("value -> amount", twice, destination)
  same(destination.amount, 500)
  source.text = "3"
  same(destination.amount, 6)
  same(number.value, 3)
end)
