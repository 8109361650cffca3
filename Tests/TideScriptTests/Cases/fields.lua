-- Fields for numbers and dates, and forms.

local function shown(root)
  show(root)
  root:snapshot()
  return root
end

case("a number field writes what is a number, and tells of the rest", function()
  local some = model "some" { n = property { default = 5, type = "number", nullable = true } }
  local field = view.numberField { bindTo = { value = "<> some.n" } }
  shown(view.column { field })
  same(field.text, "5")
  keys "Tab End 0"
  same(some.n, 50)
  keys "x"
  -- What is no number leaves what was there before the editing.
  same(some.n, 5)
  same(field.value, 5)
  same(field.text, "50x")
  same(field.error, "Enter a number")
  same(#errors(), 0)
  same(#errors { editing = true }, 1)
  keys "Backspace"
  same(some.n, 50)
  same(field.error, nil)
  same(#errors { editing = true }, 0)
  some.n = 7
  same(field.text, "7")
end)

case("a refused entry stays when the model gets another value", function()
  local some = model "some" { n = 5 }
  local field = view.numberField { bindTo = { value = "<> some.n" } }
  shown(view.column { field })
  keys "Tab x"
  some.n = 6
  same(field.text, "5x")
  same(#errors { editing = true }, 1)
  keys "Escape"
  same(field.text, "6")
  same(field.error, nil)
  same(#errors { editing = true }, 0)
end)

case("an empty number field is nil, or wrong where that is not allowed", function()
  local some = model "some" { n = property { default = 5, type = "number", nullable = true } }
  local field = view.numberField { bindTo = { value = "<> some.n" } }
  shown(view.column { field, view.field {} })
  keys "Tab Ctrl-A Backspace"
  same(some.n, nil)
  some.n = 5
  field.allowsEmpty = false
  keys "Ctrl-A Backspace"
  same(some.n, 5)
  same(field.error, nil)
  keys "Tab"
  same(field.error, "Enter a number")
  same(some.n, 5)
end)

case("the keys go by steps between the bounds", function()
  local told = 0
  local field = view.numberField { minimum = 0, maximum = 1, step = 0.1, value = 0.7,
    on = { valueChanged = function() told = told + 1 end } }
  shown(view.column { field })
  keys "Tab Up Up"
  same(field.value, 0.9)
  keys "PageUp"
  same(field.value, 1)
  keys "Up"
  same(told, 3)
  keys "PageDown"
  same(field.value, 0)
  keys "Ctrl-Z"
  same(field.value, 1)
end)

case("a number beyond the bounds is reported, at the end if more typing may fix it", function()
  local field = view.numberField { minimum = 10, maximum = 99, value = 20 }
  shown(view.column { field, view.field {} })
  keys "Tab Ctrl-A 1"
  same(field.error, nil)
  same(field.value, 20)
  keys "Tab"
  same(field.error, "Enter 10 or more")
  field:focus()
  keys "Ctrl-A 1 0 0"
  same(field.error, "Enter 99 or less")
  same(field.value, 20)
  keys "Ctrl-A 5 0"
  same(field.error, nil)
  same(field.value, 50)
end)

case("a number field follows the language", function()
  app.locale = "de"
  local field = view.numberField { decimals = 2, grouped = true, value = 1234.5 }
  shown(view.column { field, view.field {} })
  same(field.text, "1.234,50")
  field:focus()
  keys "Ctrl-A 2 . 5 0 0 , 7 Tab"
  same(field.value, 2500.7)
  same(field.text, "2.500,70")
  field:focus()
  keys "End 1"
  same(field.error, "Enter at most 2 decimals")
  app.locale = "en"
  keys "Backspace Tab"
  field.value = 3.25
  same(field.text, "3.25")
end)

case("a whole number has no decimals", function()
  local field = view.numberField { decimals = 0 }
  shown(view.column { field })
  keys "Tab 2 . 5"
  same(field.error, "Enter a whole number")
  same(field.value, nil)
  for _, text in ipairs { "0x10", "inf", "nan", "1e400", "--1", "٣" } do
    field.text = text
    same(field.error ~= nil, true)
    same(field.value, nil)
  end
end)

case("a number field has its binding wait for the end of the typing", function()
  local some = model "some" { n = 5 }
  local field = view.numberField { bindTo = { value = { path = "<> some.n", continuous = false } } }
  shown(view.column { field, view.field {} })
  keys "Tab End 0"
  same(some.n, 5)
  keys "Tab"
  same(some.n, 50)
end)

case("a property has its own words for what is no number", function()
  local some = model "some" { n = property { default = 5, type = "integer", nullable = false,
    required = "How many?", invalid = function(text) return "Not " .. text end,
    validate = function(_, n) if n > 8 then return nil, "At most 8" end return n end } }
  local field = view.numberField { bindTo = { value = "<> some.n" } }
  shown(view.column { field, view.field {} })
  keys "Tab x"
  same(field.error, "Not 5x")
  keys "Ctrl-A 9"
  same(field.error, "At most 8")
  keys "Ctrl-A Backspace"
  same(some.n, 5)
  keys "Tab"
  same(field.error, "How many?")
  field:focus()
  keys "4"
  same(field.error, nil)
  same(some.n, 4)
end)

case("a date is typed as the language has it", function()
  local field = view.datePicker { utc = true, value = 0 }
  shown(view.column { field, view.field {} })
  same(field.text, "01/01/1970")
  for text, seconds in pairs { ["1/2/1970"] = 86400, ["1/3/70"] = 172800, ["1970-01-04"] = 259200 } do
    field:focus()
    field.text = text
    keys "Tab"
    same(field.value, seconds)
  end
  for _, text in ipairs { "2/30/2026", "13/1/2026", "soon", "1/1/20261" } do
    field.text = text
    same(field.error, "Enter a date such as 03/14/2026")
  end
  app.locale = "de"
  field.value = 0
  same(field.text, "01.01.1970")
  same(field.error, nil)
end)

case("the calendar is gone through by keys, and closed without a choice", function()
  local field = view.datePicker { id = "day", utc = true, value = 1772323200 }
  shown(view.column { field })
  same(field.text, "03/01/2026")
  keys "Tab Down Right Escape"
  same(field.text, "03/01/2026")
  local function goes(pressed, text)
    keys(pressed)
    same(field.text, text)
  end
  goes("Down Right Enter", "03/02/2026")
  goes("Down Down Enter", "03/09/2026")
  goes("Down PageUp Enter", "02/09/2026")
  goes("Down End Enter", "02/14/2026")
  goes("Down Ctrl-End Enter", "02/28/2026")
  goes("Down Ctrl-PageDown Space", "02/28/2027")
  goes("Down Home Enter", "02/28/2027")
end)

case("a day keeps its time, and stays within the bounds", function()
  local field = view.datePicker { utc = true, value = 1772323200 + 3600 * 9, minimum = 1772323200,
    maximum = 1772323200 + 86400 * 2 }
  shown(view.column { field, view.field {} })
  keys "Tab Down PageDown Enter"
  same(field.value, 1772323200 + 86400 * 2 + 3600 * 9)
  keys "Ctrl-A 2 / 1 / 2 6 Tab"
  same(field.error, "Enter 03/01/2026 or later")
  field.showsTime = true
  field.minimum, field.maximum = nil, nil
  field.value = 1772323200
  same(field.text, "03/01/2026 00:00")
  field.text = "03/01/2026 12:30"
  same(field.value, 1772323200 + 45000)
end)

case("an inline calendar chooses at once", function()
  local field = view.datePicker { utc = true, value = 1772323200, display = "inline" }
  local picture = shown(view.column { field }):snapshot()
  same(picture:find("March 2026", 1, true) ~= nil, true)
  keys "Tab Right Down"
  same(field.value, 1772323200 + 86400 * 8)
  keys "Delete"
  same(field.value, nil)
end)

case("a pattern that is none is told", function()
  fails("invalid conversion", function() view.datePicker { pattern = "%Q" } end)
  fails("display", function() view.datePicker { display = wrong "sideways" } end)
end)

local function guest()
  return model "guest" {
    name = property { default = "", required = "Enter a name" },
    seats = property { default = 2, type = "integer", nullable = false },
    agrees = property { default = false, required = "Agree, please" },
  }
end

case("a form is submitted when all is right", function()
  local some, sent = guest(), 0
  local form = view.form { on = { submit = function() sent = sent + 1 end },
    view.field { id = "name", label = "Name", bindTo = { text = "<> guest.name" } },
    view.numberField { id = "seats", label = "Seats", bindTo = { value = "<> guest.seats" } },
    view.checkbox { id = "agrees", label = "Terms", bindTo = { isOn = "<> guest.agrees" } },
    view.button { id = "send", title = "Send", role = "submit" },
  }
  shown(view.column { form })
  same(form.valid, false)
  same(#form.errors, 0)
  views.seats:focus()
  keys "Enter"
  same(sent, 0)
  same(views.name.focused, true)
  same(views.name.error, "Enter a name")
  same(#form.errors, 2)
  same(form.errors[2].label, "Terms")
  same(form.errors[2].message, "Agree, please")
  same(form.errors[2].view == views.agrees, true)
  same(#errors { editing = true }, 2)
  keys "A"
  same(views.name.error, nil)
  same(#errors { editing = true }, 1)
  some.agrees = true
  same(form.valid, true)
  same(#errors { editing = true }, 0)
  keys "Enter"
  same(sent, 1)
  press(views.send, "Enter")
  same(sent, 2)
  same(form:submit(), true)
  same(sent, 3)
end)

case("a form enters what is still being typed", function()
  local some = guest()
  local seen
  local form = view.form { on = { submit = function() seen = some.name end },
    view.field { label = "Name", bindTo = { text = { path = "<> guest.name", continuous = false } } } }
  shown(view.column { form })
  keys "Tab A d a"
  same(some.name, "")
  same(form:submit(), true)
  same(seen, "Ada")
end)

case("what is hidden or disabled does not count", function()
  guest()
  local form = view.form {
    view.field { id = "name", label = "Name", bindTo = { text = "<> guest.name" } },
    view.field { label = "Code", error = "wrong", enabled = false },
  }
  shown(view.column { form })
  same(form.valid, false)
  views.name.hidden = true
  same(form.valid, true)
  same(form:submit(), true)
  views.name.hidden = false
  same(form.valid, false)
end)

case("a rule across fields is an error that follows them", function()
  local trip = model "trip" { from = 3, to = 5 }
  local form = view.form {
    view.numberField { label = "From", bindTo = { value = "<> trip.from" } },
    view.numberField { id = "to", label = "To", bindTo = { value = "<> trip.to" },
      error = function() return trip.to < trip.from and "Ends before it begins" or nil end },
  }
  shown(view.column { form })
  same(form.valid, true)
  trip.from = 6
  same(form.valid, false)
  same(form:submit(), false)
  same(views.to.focused, true)
  trip.to = 8
  same(form.valid, true)
end)

case("reset takes back what was typed and the model does not have", function()
  local some = guest()
  local form = view.form {
    view.field { id = "name", label = "Name",
      bindTo = { text = { path = "<> guest.name", continuous = false } } },
    view.numberField { id = "seats", label = "Seats", bindTo = { value = "<> guest.seats" } },
    view.button { id = "undo", title = "Undo", role = "reset" },
  }
  shown(view.column { form })
  keys "Tab A d a Tab x"
  form:submit()
  views.name:focus()
  keys "Ctrl-A Backspace B"
  same(views.seats.error, "Enter a number")
  press(views.undo, "Enter")
  same(views.name.text, "Ada")
  same(views.seats.text, "2")
  same(views.seats.error, nil)
  same(#errors { editing = true }, 0)
end)

case("only a form is submitted", function()
  fails("only forms are submitted, and this is a label", function() view.label {}:submit() end)
  fails("only forms are reset, and this is a row", function() view.row {}:reset() end)
end)

case("a handler that takes Enter keeps it from the form", function()
  local sent = 0
  local form = view.form { on = { submit = function() sent = sent + 1 end },
    view.field { on = { editingDidEndOnExit = function() end } }, view.slider {} }
  shown(view.column { form })
  keys "Tab Enter"
  same(sent, 0)
  keys "Tab Enter"
  same(sent, 1)
end)

case("a form has its labels beside its fields, or above where it is narrow", function()
  local form = view.form {
    view.field { label = "Name", text = "Ada" },
    view.picker { label = "By", items = { "bus" }, selectedIndex = 1, error = "No bus today" },
    view.label { text = "across" },
  }
  same(form:snapshot(40, 4), "Name  Ada\nBy    [bus    ▾]\n      No bus today\nacross")
  same(form:snapshot(16, 6), "Name\nAda\nBy\n[bus    ▾]\nNo bus today\nacross")
end)

case("a delayed edit of a row is written to its row, wherever the row is by then", function()
  for _, kind in ipairs { "list", "table", "collection", "tree" } do
    for _, act in ipairs { "remove", "set", "replace" } do
      local function row(name) return object { name = name, children = list {} } end
      local edited = row "b"
      local holder = object { items = list { row "a", edited, row "c" } }
      local function cell()
        return view.cell { view.field { bindTo = { text = { path = "<> dataObject.name", delay = 0.5 } } } }
      end
      local options = { items = function() return holder.items end, height = 4 }
      if kind == "table" then options.columns = { { title = "n", cell = cell } } else options.cell = cell end
      local rows = view[kind](options)
      local root = view.column { rows, view.button { title = "after" } }
      show(root)
      root:snapshot()
      local function find(from)
        for _, below in ipairs(from.subviews) do
          if below.class == "field" and below.dataObject == edited then return below end
          local found = find(below)
          if found then return found end
        end
      end
      find(rows):focus()
      keys "End X"
      same(edited.name, "b")
      if act == "remove" then holder.items:remove(2)
      elseif act == "set" then holder.items:set { row "z" }
      else holder.items = list { row "q" } end
      root:snapshot()
      advance(1)
      same(edited.name, "bX")
      same(#errors { editing = true }, 0)
      for _, other in ipairs(holder.items) do same(other.name:find "X", nil) end
    end
  end
end)

case("a delayed edit through a controller's selection is written to the row that was selected", function()
  for _, act in ipairs { "remove", "content", "select", "filter" } do
    local name = "delayed" .. act
    local people = controller.list { name = name, content = list { { name = "a" }, { name = "b" }, { name = "c" } } }
    local edited = people.content[2]
    local field = view.field { bindTo = { text = { path = "<> " .. name .. ".selection.name", delay = 0.5 } } }
    local root = view.column { field, view.button { title = "after" } }
    shown(root)
    people.selectionIndex = 2
    field:focus()
    keys "End X"
    same(edited.name, "b")
    if act == "remove" then people.content:remove(2)
    elseif act == "content" then people.content = list { { name = "q" } }
    elseif act == "select" then people.selectionIndex = 1
    else people.filter = function(row) return row ~= edited end end
    root:snapshot()
    advance(1)
    same(edited.name, "bX")
    same(#errors { editing = true }, 0)
    for _, other in ipairs(people.content) do
      if other ~= edited then same(other.name:find "X", nil) end
    end
  end
end)
