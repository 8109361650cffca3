-- Commands that move the focus, for who types ahead, and one that takes its time.
local desk = model "desk" { name = "", note = "", size = "s", level = 5, saved = 0, started = 0, ended = 0 }

local inner = view.field { label = "Note", bindTo = { text = "<> desk.note" } }
local ok = view.button { title = "Done" }
local level = view.slider { label = "Level", maximum = 10, step = 1, bindTo = { value = "<> desk.level" } }
local size = view.radio { label = "Size", items = list { "s", "m", "l" },
  bindTo = { selectedObject = "<> desk.size" } }
local dialog = view.dialog { title = "New", modal = true, hidden = true, inner, ok }

local function open()
  dialog.hidden = false
  inner:focus()
end

on(ok, "touchUpInside", function() dialog.hidden = true end)
on(inner, "editingDidEndOnExit", function() dialog.hidden = true end)

show(view.column {
  keys = { F2 = open, F3 = function() desk.saved = desk.saved + 1 end,
    F4 = function() level:focus() end, F7 = function() size:focus() end },
  view.field { label = "Name", bindTo = { text = "<> desk.name" } },
  view.button { title = "Open", on = { touchUpInside = open } },
  view.button { title = "Slow", on = { touchUpInside = function()
    desk.started = desk.started + 1
    sleep(1)
    desk.ended = desk.ended + 1
  end } },
  level, size,
  dialog,
})
