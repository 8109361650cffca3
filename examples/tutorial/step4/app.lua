-- Beside the services stands the log of the one that is selected: a stream of the lines of a file.
local folder = arg[1] or "."

local services = resource(function()
  return json.decode(file.read(folder .. "/services.json"))
end, { name = "services", every = 2, initial = {} })

local chosen = controller.list { name = "chosen", content = "services.value" }

-- Runs again when another service is selected; what it made for the one before ends.
local output = model "output" { lines = list {} }
effect(function()
  local service = chosen.selectedObject
  output.lines = service and file.tail(folder .. "/" .. service.name .. ".log", { limit = 1000 }) or {}
end)

transformer("tone", { ok = "green", slow = "yellow", [otherwise] = "red" })

return view.column { padding = 1, spacing = 1,
  view.row { spacing = 2,
    view.label { style = "title", text = function() return #services.value .. " services" end },
    view.spinner { hidden = function() return not services.loading end },
    view.label { style = "error", bindTo = { text = "services.error" } },
  },
  view.row { grow = 1, spacing = 2,
    view.table { label = "Services", width = "50%", bindTo = {
      items = "chosen.arrangedObjects", selectedIndex = "<> chosen.selectionIndex",
    }, columns = {
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
    view.box { title = "Log", grow = 1, view.list { label = "Log", grow = 1, bindTo = { items = "output.lines" } } },
  },
  view.keyBar {},
}
