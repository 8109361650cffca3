-- A table shows what a service has; a map turns a state into a colour.
local Service = class "Service" { name = "", state = "ok", load = 0 }

local fleet = model "fleet" {
  services = list {
    Service { name = "web", load = 0.31 },
    Service { name = "mail", state = "slow", load = 0.92 },
    Service { name = "search", state = "down" },
  },
}

transformer("tone", { ok = "green", slow = "yellow", [otherwise] = "red" })

return view.column { padding = 1, spacing = 1,
  view.label { style = "title", text = function() return #fleet.services .. " services" end },
  view.table { label = "Services", grow = 1, bindTo = { items = "fleet.services" }, columns = {
    { title = "Service", path = "name", grow = 1 },
    { title = "State", width = 8, cell = function()
      return view.label { bindTo = {
        text = "@superview.dataObject.state",
        textColor = "@superview.dataObject.state | tone",
      } }
    end },
    { title = "Load", width = 6, cell = function()
      return view.label { bindTo = { text = "@superview.dataObject.load | percent" } }
    end },
  } },
  view.keyBar {},
}
