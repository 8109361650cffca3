-- It is saved while somebody types.
local note = model "note" { name = "", text = "", presses = 0, later = "" }

local lines = {}
for number = 1, 60 do lines[number] = view.label { key = "line " .. number, text = "line " .. number } end

show(view.window { title = "Reload", view.column { id = "all",
  view.label { id = "heading", text = "The first version" },
  view.field { id = "name", label = "Name", bindTo = { text = "<> note.name" } },
  view.field { id = "later", label = "Later",
    bindTo = { text = { path = "<> note.later", continuous = false } } },
  view.numberField { id = "number", label = "Number", value = 1 },
  view.label { id = "echo", text = function() return "Hello " .. note.name end },
  view.button { id = "press", title = "Press", on = {
    touchUpInside = function() note.presses = note.presses + 1 end } },
  view.button { title = "Fail", on = { touchUpInside = function() error "It failed." end } },
  view.button { title = "End", on = { touchUpInside = function() exit() end } },
  view.label { id = "presses", text = function() return "pressed " .. note.presses end },
  view.scroll { id = "scroll", height = 6, label = "Lines", view.column(lines) },
} })
