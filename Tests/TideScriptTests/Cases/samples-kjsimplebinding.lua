-- The samples of KJSimpleBinding's manual: a binding manager is a context.

case("KJSimpleBinding's label: the manager is enabled when the view appears", function()
  local model, label = object { stringProperty = "a" }, view.label { text = "-" }
  context("manager", { enabled = false }, function()
    bind("stringProperty -> text", model, label)
  end)
  same(label.text, "-")
  context.enable("manager")
  same(label.text, "a")
  model.stringProperty = "b"
  same(label.text, "b")
  context.disable("manager")
  model.stringProperty = "c"
  same(label.text, "b")
  context.enable("manager")
  same(label.text, "c")
end)

case("KJSimpleBinding's removeAllBindings", function()
  local model, label = object { stringProperty = "a" }, view.label {}
  context("manager", function() bind("stringProperty -> text", model, label) end)
  context.clear("manager")
  model.stringProperty = "b"
  same(label.text, "a")
end)

case("KJSimpleBinding's value transform: a number to a text", function()
  local model, label = object { numericProperty = 7, flag = true }, view.label {}
  bind("numericProperty -> text", model, label, {
    transform = function(value) return tostring(value) end })
  same(label.text, "7")
  model.numericProperty = 8
  same(label.text, "8")
  local switch = view.label {}
  bind("flag -> text | choose(On, Off)", model, switch)
  same(switch.text, "On")
  model.flag = false
  same(switch.text, "Off")
end)

case("KJSimpleBinding's mistake made good: a number is converted without a transform", function()
  local model, label = object { numericProperty = 7 }, view.label {}
  bind("numericProperty -> text", model, label)
  same(label.text, "7")
end)
