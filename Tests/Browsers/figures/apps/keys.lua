-- A field, and a label that shows what is typed there in capitals.
local person = model "person" { name = "" }

transformer "capitals" { transform = function(text) return text:upper() end }

show(view.window { view.column {
  view.field { label = "Name", bindTo = { text = "<> person.name" } },
  view.label { bindTo = { text = "person.name | capitals" } },
} })
