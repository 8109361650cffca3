case("TX1 a field carries what is typed to its model and shows what came back", function()
  local fruit = model "fruit" { name = property { default = "apple",
    validate = function(_, value) if #value > 8 then error("too long", 0) end return value end } }
  local field = view.field { bindTo = { text = "<> fruit.name" } }
  show(view.column { field })
  field:focus()
  keys("End s")
  assert(fruit.name == "apples")
  keys("Ctrl-Z")
  assert(fruit.name == "apple" and field.text == "apple")
  keys("Ctrl-Y Home Shift-Right Shift-Right x")
  assert(fruit.name == "xples")
  keys("Ctrl-A p e a r")
  assert(fruit.name == "pear")
  -- A text that the model refuses stays, with a message, until it is fixed.
  keys("a b c d e")
  assert(fruit.name == "pearabcd" and field.text == "pearabcde", field.text)
  assert(field.error)
  keys("Backspace")
  assert(field.error == nil and fruit.name == field.text)
end)

case("TX2 a field sends its editing events in order", function()
  local heard = {}
  local function note(name) return function() heard[#heard + 1] = name end end
  local field = view.field { on = {
    editingDidBegin = note "begin", editingChanged = note "changed",
    editingDidEnd = note "end", editingDidEndOnExit = note "exit" } }
  show(view.column { field, view.button { title = "OK" } })
  keys("Tab a Enter Tab")
  assert(table.concat(heard, " ") == "begin changed exit end", table.concat(heard, " "))
end)

case("TX3 a text area takes several lines", function()
  local note = model "note" { text = "one" }
  local area = view.textArea { height = 3, wrap = false, placeholder = "a note",
    maxLength = 20, bindTo = { text = "<> note.text" } }
  show(view.column { area, view.field {} })
  local heard = {}
  on(area, "*", function(event) heard[#heard + 1] = event.name end)
  area:focus()
  keys("Ctrl-End Enter t w o Up End ! Tab")
  assert(note.text == "one!\ntwo", note.text)
  for _, name in ipairs(heard) do assert(name ~= "editingDidEndOnExit") end
  note.text = "a\nb\nc\nd"
  assert(area:snapshot():find("a", 1, true))
end)

case("TX4 a secure field shows bullets in snapshots", function()
  local field = view.field { secure = true, text = "sesame" }
  show(view.column { field })
  local picture = field:snapshot()
  assert(not picture:find("s", 1, true), picture)
  assert(picture:find("•", 1, true))
end)

case("TX5 wrong values for a text's properties are errors that say what to do", function()
  local field = view.field {}
  for name, value in pairs { maxLength = "many", secure = 3, editable = {}, text = {} } do
    local done, message = pcall(function() field[name] = value end)
    assert(not done and tostring(message):find(name, 1, true), name .. ": " .. tostring(message))
  end
  for _, limit in ipairs { -1, 0, math.maxinteger, math.mininteger } do
    field.maxLength = limit
  end
  show(view.column { field })
  field.maxLength = -5
  field:focus()
  keys("a")
  assert(field.text == "")
  field.maxLength = math.maxinteger
  keys("a")
  assert(field.text == "a")
end)

case("TX6 what a validator makes of typed text the model holds at once, and the view at the end", function()
  local thing = model "thing" { name = property { default = "", validate = function(_, value) return value:upper() end } }
  local field = view.field { bindTo = { text = "<> thing.name" } }
  show(view.column { field, view.button { title = "next" } })
  field:focus()
  keys("a b c")
  assert(thing.name == "ABC" and field.text == "abc", thing.name .. " " .. field.text)
  keys("Left Left x")
  assert(thing.name == "AXBC" and field.text == "axbc", field.text)
  keys("y Ctrl-Z")
  assert(thing.name == "ABC" and field.text == "abc", field.text)
  keys("Ctrl-Z")
  assert(field.text == "" and thing.name == "")
  keys("d Tab")
  assert(field.text == "D" and thing.name == "D", field.text)
end)

case("TX7 text that means the same to the model stays as it was typed", function()
  local thing = model "thing" { count = 12 }
  local field = view.field { bindTo = { text = "<> thing.count" } }
  show(view.column { field })
  field:focus()
  keys("End . 5 0")
  assert(thing.count == 12.5 and field.text == "12.50", field.text)
  keys("x")
  assert(thing.count == 12 and field.text == "12.50x" and field.error)
  keys("Ctrl-Z")
  assert(thing.count == 12 and field.text == "12" and not field.error, field.text)
  -- What comes from the model while somebody edits keeps the caret beside what it stood beside.
  thing.count = 120
  keys("7")
  assert(thing.count == 1270, tostring(thing.count))
end)
