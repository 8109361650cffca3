-- A resource fetches the services, again every two seconds. Here they come from a file that anything may
-- write; `http.get("http://…").json` would ask a server for the same.
local folder = arg[1] or "."

local services = resource(function()
  return json.decode(file.read(folder .. "/services.json"))
end, { name = "services", every = 2, initial = {} })

transformer("tone", { ok = "green", slow = "yellow", [otherwise] = "red" })

return view.column { padding = 1, spacing = 1,
  view.row { spacing = 2,
    view.label { style = "title", text = function() return #services.value .. " services" end },
    view.spinner { hidden = function() return not services.loading end },
    view.label { style = "error", bindTo = { text = "services.error" } },
  },
  view.table { label = "Services", grow = 1, bindTo = { items = "services.value" }, columns = {
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
