-- fruit.lua: run it with `tidelock run fruit.lua`, edit it while it runs.
local fruit = model "fruit" { name = "apple", color = "red" }

return view.column { dataObject = fruit, padding = 1,
  view.label { bindTo = { text = "@superview.dataObject.name", textColor = "@superview.dataObject.color" } },
  view.label { text = function() return #fruit.name .. " letters" end },
  view.field { id = "editor", label = "Name", bindTo = { text = "<> @superview.dataObject.name" } },
  view.button { title = "Ripen", on = { touchUpInside = function() fruit.color = "yellow" end } },
}
