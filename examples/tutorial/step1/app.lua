-- A service is an object, and the dashboard shows a list of them.
local Service = class "Service" { name = "", state = "ok" }

local fleet = model "fleet" {
  services = list {
    Service { name = "web" },
    Service { name = "mail", state = "slow" },
    Service { name = "search", state = "down" },
  },
}

return view.column { padding = 1, spacing = 1,
  view.label { style = "title", text = function() return #fleet.services .. " services" end },
  view.list { label = "Services", grow = 1, bindTo = { items = "fleet.services" } },
}
