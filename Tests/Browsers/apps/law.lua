-- What random inputs are given to.
local state = model "state" { name = "", loud = "", note = "", on = false, level = 3, copies = 2,
  color = "green", size = "medium", tab = 1, presses = 0 }
local fruits = list {}
local Fruit = class "Fruit" { name = "", ripe = false }
for number = 1, 4 do fruits:append(Fruit { name = "fruit " .. number }) end

local function cell()
  return view.cell {
    view.checkbox { title = "ripe", bindTo = { isOn = "<> dataObject.ripe" } },
    view.field { label = "Fruit", width = 16, bindTo = { text = "<> dataObject.name" } },
    view.label { bindTo = { text = "dataObject.name" } },
  }
end

show(view.window { title = "Law", view.column { id = "all", spacing = 1,
  view.field { id = "name", label = "Name", bindTo = { text = "<> state.name" } },
  view.field { id = "again", label = "Again", bindTo = { text = "<> state.name" } },
  view.field { id = "loud", label = "Loud", bindTo = { text = "<> state.loud" }, on = {
    editingChanged = function() state.loud = state.loud:upper() end } },
  view.textArea { id = "note", label = "Note", height = 3, bindTo = { text = "<> state.note" } },
  view.row { spacing = 2,
    view.button { title = "Press", on = {
      touchUpInside = function() state.presses = state.presses + 1 end } },
    view.button { title = "Add", on = {
      touchUpInside = function() fruits:insert(1, Fruit { name = "new " .. #fruits }) end } },
    view.button { title = "Move", on = { touchUpInside = function() fruits:move(#fruits, 1) end } },
    view.button { title = "Less", on = {
      touchUpInside = function() if #fruits > 2 then fruits:remove(2) end end } },
    view.checkbox { id = "on", title = "On", bindTo = { isOn = "<> state.on" } },
  },
  view.row { spacing = 2, hidden = function() return state.on end,
    view.slider { id = "level", label = "Level", maximum = 10, step = 1,
      bindTo = { value = "<> state.level" } },
    view.stepper { id = "copies", label = "Copies", maximum = 10,
      bindTo = { value = "<> state.copies" } },
  },
  view.radio { id = "size", label = "Size", items = { "small", "medium", "large" },
    bindTo = { selectedObject = "<> state.size" } },
  view.list { id = "list", label = "Fruits", items = fruits, cell = cell, height = 12 },
  function()
    local more = {}
    for number = 1, state.presses % 4 do
      more[number] = view.label { key = tostring(number), text = "label " .. number }
    end
    return more
  end,
  view.label { id = "said", text = function()
    return table.concat({ state.name, state.loud, tostring(state.on), state.level, state.copies,
      state.size, state.presses, #fruits }, "|") end },
} })
