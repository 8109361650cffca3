-- Containers, dialogs and the controls that point at things, as scripts make them.

local function lines(made)
  show(made)
  return made:snapshot()
end

case("V1 a grid takes a number of columns or a list of widths and shares", function()
  local grid = view.grid { columns = 2, spacing = 1,
    view.label { text = "Name" }, view.label { text = "Ada" },
    view.label { text = "Age" }, view.label { text = "36" },
  }
  same(grid:snapshot(20, 5), "Name Ada\n\nAge  36")
  grid.columns = { 6, "*" }
  same(grid:snapshot(20, 5), "Name   Ada\n\nAge    36")
  fails("share", function() grid.columns = { "wide" } end)
end)

case("V2 a scroll's offset is bound both ways", function()
  local scroller = object { y = 2 }
  local scroll = view.scroll { height = 3, dataObject = scroller,
    bindTo = { scrollY = "<> dataObject.y" } }
  for i = 1, 9 do scroll:add(view.label { text = tostring(i) }) end
  same(lines(view.column { scroll }):sub(1, 1), "3")
  press(scroll, "Down")
  same(scroller.y, 3)
  scroller.y = 1000
  scroll:snapshot()
  same(scroller.y, 6)
end)

case("V3 tabs show one of their subviews", function()
  local tabs = view.tabs { titles = { "One", "Two" }, selected = 2,
    view.label { text = "first" }, view.label { text = "second" } }
  same(tabs:snapshot(12, 3), " One  Two\n─────━━━━━──\nsecond")
  show(view.column { tabs })
  local heard
  on(tabs, "valueChanged", function(_, event) heard = event.value end)
  keys("Tab Left")
  same(tabs.selected, 1)
  same(heard, 1)
end)

case("V4 a modal dialog has the focus until it goes", function()
  local dialog = view.dialog { title = "Sure?", modal = true, hidden = true,
    view.button { id = "yes", title = "Yes" } }
  local field = view.field { id = "name" }
  show(view.column { field, dialog })
  keys("Tab")
  dialog.hidden = false
  dialog:snapshot()
  same(views.yes.focused, true)
  keys("Escape")
  same(dialog.hidden, true)
  dialog:snapshot()
  same(field.focused, true)
  on(dialog, "close", function() dialog.title = "No" end)
  dialog.hidden = false
  dialog:snapshot()
  keys("Escape")
  same(dialog.title, "No")
  same(dialog.hidden, false)
end)

case("V5 a split's position is written when a divider is moved", function()
  local split = view.split { focusable = true, position = 5,
    view.label { text = "a" }, view.label { text = "b" } }
  same(split:snapshot(12, 1), "a    │b")
  show(split)
  keys("Tab Right Right")
  same(split.position, 7)
end)

case("V6 a picker's choice is bound to a model", function()
  local colors = list { object { title = "red" }, object { title = "green" } }
  local thing = object { color = colors[2] }
  local picker = view.picker { items = colors, dataObject = thing,
    bindTo = { selectedObject = "<> dataObject.color" } }
  show(view.column { picker })
  same(picker.selectedIndex, 2)
  keys("Tab Enter Up Enter")
  same(thing.color, colors[1])
  thing.color = colors[2]
  same(picker.selectedIndex, 2)
end)

case("V7 a radio group takes texts", function()
  local radio = view.radio { items = { "small", "large" }, selectedIndex = 1 }
  same(radio:snapshot(10, 2), "(•) small\n( ) large")
  local heard
  on(radio, "valueChanged", function(_, event) heard = event.value end)
  press(radio, "Down")
  same(heard, "large")
  same(radio.selectedObject, "large")
end)

case("V8 a slider and a stepper carry their value to the model", function()
  local model = object { volume = 3 }
  local slider = view.slider { maximum = 10, step = 1, dataObject = model,
    bindTo = { value = "<> dataObject.volume" } }
  local stepper = view.stepper { dataObject = model, bindTo = { value = "<> dataObject.volume" } }
  show(view.column { slider, stepper })
  press(slider, "Right")
  same(model.volume, 4)
  press(stepper, "Down")
  same(model.volume, 3)
  same(slider.value, 3)
end)

case("V9 the items of a menu execute functions and commands", function()
  local done = {}
  local save = object { canExecute = false, execute = function(self, sender)
    done[#done + 1] = "save"
  end }
  local state = object { on = true }
  local menu = view.menu { items = {
    { title = "File", items = {
      { title = "Save", key = "Ctrl-S", command = save },
      "-",
      { title = "Quit", key = "Ctrl-Q", enabled = function() return state.on end,
        command = function(menu, event)
          done[#done + 1] = event.name .. " " .. event.value.title
        end },
    } },
  } }
  show(view.column { menu })
  keys("Ctrl-S Ctrl-Q")
  same(table.concat(done, ","), "didSelect Quit")
  save.canExecute = true
  state.on = false
  keys("Ctrl-S Ctrl-Q")
  same(table.concat(done, ","), "didSelect Quit,save")
  keys("F10 Enter")
  same(#done, 3)
end)

case("V10 wrong items of a menu are refused with what they may be", function()
  fails("title", function() view.menu { items = { { titel = "x" } } } end)
  fails("Ctrl-Enter", function() view.menu { items = { { title = "x", key = "Ctrl-Ente" } } } end)
  fails("command", function() view.menu { items = { { title = "x", command = 3 } } } end)
  fails("item", function() view.menu { items = { 3 } } end)
  fails("list", function() view.menu { items = { title = "x" } } end)
  local item = { title = "x" }
  item.items = { item }
  fails("nest", function() view.menu { items = { item } } end)
end)
