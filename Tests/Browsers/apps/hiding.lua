-- Fields that others hide, and fields that others go into, while somebody types.
local desk = model "desk" { note = "", inner = "", later = "", other = "", tab = 1, hides = false, presses = 0,
  trimmed = property { default = "", validate = function(_, text) return text:match "^%s*(.-)%s*$" end } }

local function field(label, path, continuous)
  return view.field { label = label, tooltip = label,
    bindTo = { text = { path = "<> " .. path, continuous = continuous } } }
end

show(view.window { title = "Hiding", view.column {
  view.tabs { titles = { "First", "Second" }, bindTo = { selected = "<> desk.tab" },
    view.column { field("Note", "desk.note"),
      view.box { title = "Part", hidden = function() return desk.hides end, field("Inner", "desk.inner") } },
    view.label { text = "the second tab" } },
  field("Trimmed", "desk.trimmed"),
  field("Later", "desk.later", false),
  field("Other", "desk.other"),
  view.button { title = "Hide", on = { touchUpInside = function() desk.hides = not desk.hides end } },
  view.button { title = "Press", on = { touchUpInside = function() desk.presses = desk.presses + 1 end } },
} })
