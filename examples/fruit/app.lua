-- One model, and views that show it and change it. Save this file while it runs, and see.

local fruit = model "fruit" { name = "apple", color = "red" }

local ripeness = { green = "yellow", yellow = "red", red = "brown", brown = "green" }
local basket = { "apple", "pear", "banana", "mango", "fig" }

local function another()
  for place, name in ipairs(basket) do
    if name == fruit.name then
      fruit.name = basket[place % #basket + 1]
      return
    end
  end
  fruit.name = basket[1]
end

-- Terminals have no brown.
transformer("paint", function(color) return color == "brown" and "#8b5a2b" or color end)

return view.column { dataObject = fruit, padding = 1, maxWidth = 46,
  view.box { title = "Fruit", padding = { 1, 2 }, spacing = 1,
    view.row { spacing = 1,
      view.label { width = 8, text = "Name", style = "muted" },
      view.label { id = "name", bold = true, bindTo = {
        text = "@superview.dataObject.name",
        textColor = "@superview.dataObject.color | paint",
      } },
    },
    view.row { spacing = 1,
      view.label { width = 8, text = "Letters", style = "muted" },
      view.label { id = "letters", text = function() return #fruit.name .. " letters" end },
    },
    view.row { spacing = 1,
      view.label { width = 8, text = "Edit", style = "muted" },
      view.field { id = "editor", grow = 1, placeholder = "a fruit's name", bindTo = {
        text = "<> @superview.dataObject.name",
      } },
    },
    view.row { spacing = 1,
      view.button { title = "Ripen", on = {
        touchUpInside = function() fruit.color = ripeness[fruit.color] or "green" end,
      } },
      view.button { title = "Another", on = { touchUpInside = another } },
    },
  },
  view.label { style = "muted", text = "Tab goes on, Enter presses, Ctrl-C leaves." },
}
