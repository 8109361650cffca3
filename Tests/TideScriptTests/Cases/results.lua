-- What a view shows after an edit.

case("a field shows what its model gives when the typing ends", function()
  for expression, pair in pairs {
    ["clamp(0, 10)"] = { "50", "10" }, ["number(1)"] = { "1.26", "1.3" },
    ["date('!%Y-%m-%d')"] = { "2023-1-5", "2023-01-05" },
  } do
    model "edited" { v = 5 }
    local field = view.field { bindTo = { text = "<> edited.v | " .. expression } }
    show(view.column { field, view.field {} })
    field:focus()
    keys "Ctrl-A"
    for letter in pair[1]:gmatch "." do keys(letter) end
    same(field.text, pair[1])
    keys "Tab"
    same(field.text, pair[2])
  end
end)

case("a control without a caret shows it at once", function()
  for _, kind in ipairs { "slider", "stepper" } do
    local m = model "limited" { v = 5.0 }
    local control = view[kind] {
      minimum = 0, maximum = 100, step = 7, bindTo = { value = "<> limited.v | clamp(0, 10)" },
    }
    show(control)
    press(control, "Right")
    press(control, "Right")
    same(m.v, 10)
    same(control.value, 10)
  end
end)

case("a whole number of any size is stepped exactly", function()
  for _, kind in ipairs { "stepper", "numberField" } do
    local m = model "large" { i = property { default = 1, type = "integer" } }
    m.i = 9007199254740993
    local control = view[kind] {
      minimum = 0, maximum = math.maxinteger, bindTo = { value = "<> large.i" },
    }
    show(control)
    press(control, "Up")
    same(m.i, 9007199254740994)
  end
end)

case("a rule for an error shows again when an entry is mended", function()
  local m = model "ruled" { v = 5 }
  local field = view.field {
    bindTo = { text = "<> ruled.v" }, error = function() if m.v > 2 then return "over" end end,
  }
  show(view.column { field, view.field {} })
  same(field.error, "over")
  field:focus()
  keys "Ctrl-A x"
  same(field.error ~= "over", true)
  keys "Escape"
  same(field.error, "over")
end)

case("what is too large is said in words for people, and in their language", function()
  strings { de = { ["This number is too large"] = "Diese Zahl ist zu groß", ["Enter a name"] = "Name?" } }
  local m = model "worded" {
    i = property { default = 1, type = "integer" },
    name = property { default = "x", validate = function(_, value)
      if value == "" then return nil, "Enter a name" end
      return value
    end },
  }
  local number = view.field { bindTo = { text = "<> worded.i" } }
  local name = view.field { bindTo = { text = "<> worded.name" } }
  show(view.column { number, name })
  number.text = "99999999999999999999"
  same(number.error, "This number is too large")
  app.locale = "de"
  number.text = "99999999999999999998"
  same(number.error, "Diese Zahl ist zu groß")
  name.text = ""
  same(name.error, "Name?")
end)
