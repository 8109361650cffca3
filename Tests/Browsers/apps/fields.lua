-- Fields that are answered in several ways while somebody types.
local person = model "person" { name = "", loud = "", capitals = "", dashed = "", note = "", later = "", edits = 0 }
local clock = model "clock" { ticks = 0, written = "" }

transformer "loud" {
  transform = function(text) return text and text:upper() end,
  reverse = function(text) return text and text:upper() end,
}

local function field(id, label, path, more)
  local properties = more or {}
  properties.id, properties.label = id, label
  properties.bindTo = { text = "<> " .. path }
  return view.field(properties)
end

show(view.window { title = "Fields", view.form { id = "form",
  field("name", "Name", "person.name", { on = {
    editingChanged = function() person.edits = person.edits + 1 end } }),
  field("again", "Name again", "person.name"),
  field("loud", "Loud", "person.loud", { on = {
    editingChanged = function() person.loud = person.loud:upper() end } }),
  field("capitals", "Capitals", "person.capitals | loud"),
  field("shouted", "Shouted", "person.capitals"),
  -- The script writes to the very field that is being edited.
  field("dashed", "Dashed", "person.dashed", { on = {
    editingChanged = function() person.dashed = person.dashed:gsub(" ", "-") end } }),
  view.textArea { id = "note", label = "Note", height = 4, bindTo = { text = "<> person.note" } },
  view.field { id = "later", label = "Later",
    bindTo = { text = { path = "<> person.later", continuous = false } } },
  field("written", "Written", "clock.written"),
  view.field { id = "short", label = "Short", maxLength = 5 },
  view.field { id = "secret", label = "Secret", secure = true },
  view.label { id = "echo", text = function() return "Hello " .. person.name end },
  view.label { id = "count", text = function() return utf8.len(person.name) .. " letters" end },
  view.label { id = "ticks", text = function() return "tick " .. clock.ticks end },
  view.button { id = "write", title = "Write", on = {
    touchUpInside = function() person.name = "by the script" end } },
} })

every(0.05, function()
  clock.ticks = clock.ticks + 1
  clock.written = "at " .. clock.ticks
end)
