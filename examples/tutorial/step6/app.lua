-- The same app, which its specs drive with stubs in place of the files and the program.
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

-- Waits for the program without keeping the app waiting.
local function restart()
  local service = chosen.selectedObject
  if not service then return end
  local result = process.run("sh", { "-c", "echo restarted >> " .. folder .. "/" .. service.name .. ".log" })
  if result.code ~= 0 then output.lines:append(result.error) end
  services:refresh()
end

local sure = view.dialog { title = "Restart?", modal = true, hidden = true,
  view.label { text = function()
    local service = chosen.selectedObject
    return service and "Restart " .. service.name .. "?" or ""
  end },
  view.row { spacing = 2 },
}
local function answer(title, fn)
  sure.subviews[2]:add(view.button { title = title, on = { touchUpInside = function()
    sure.hidden = true
    if fn then fn() end
  end } })
end
answer("Restart", restart)
answer("Cancel")

return view.column { padding = 1, spacing = 1,
  keys = { F5 = { title = "Restart", run = function() sure.hidden = false end } },
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
  sure,
  view.keyBar {},
}
