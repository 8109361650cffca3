local commands = require("commands")

local fruit = model "fruit" {
  name = "apple",
  price = 3,
}

return view.column {
  view.label { id = "title", bindTo = { text = "fruit.name | uppercase" } },
  view.field { id = "editor", bindTo = { text = "<> fruit.name" } },
  view.label { text = function() return fruit.price .. " euros" end },
  view.button { id = "ripen", title = "Ripen", on = {
    touchUpInside = function() commands.ripen() end,
  } },
}
