-- Tickets: one view for each order, and a card for a dish.

local orders, sounds = require "orders", require "parts.sounds"

local tickets = {}

view.component("dish", {
  properties = { name = "", price = property { default = 0.0 }, isHot = false },
  events = { "ordered", "removed" },
  view = function(self)
    return view.box { title = function() return self.name end,
      view.label { text = function() return ("%.2f"):format(self.price) end },
      view.label { style = "hot", hidden = function() return not self.isHot end, text = "hot" },
      view.button { title = "Order", on = { touchUpInside = function() self:send("ordered") end } },
    }
  end,
})

tickets.serve = { title = "Serve", canExecute = true,
  execute = function(_, sender) sounds.bell() log.debug("served by " .. sender.id) end }

local command = object {
  canExecute = computed(function() return #orders.waiting > 0 end),
  execute = function(self)
    orders.serve(orders.waiting[1])
    sounds.gong()
  end,
}

function tickets.cell(order)
  return view.cell { view.row { spacing = 1,
    view.label { width = 4, bindTo = { text = "dataObject.table | prefix('T')" } },
    view.label { grow = 1, text = function() return order:describe("") end },
    view.label { bindTo = { text = "dataObject.note",
      textColor = "dataObject.state | map(waiting: red, cooking: yellow, else: green)" } },
  } }
end

function tickets.button()
  local button = view.button { id = "next", title = "Next", on = { touchUpInside = command } }
  return button
end

return tickets
