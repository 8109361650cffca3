-- Services and what they write: started, stopped and restarted, with a question before what cannot
-- be taken back. On a second tab, the processes of this machine.
--
--   tidelock run app.lua                                    made-up services
--   tidelock run app.lua --allow run=sh                     real ones: see worker.lua
--   tidelock run app.lua --allow run=ps --allow run=kill    and the machine's processes
--
-- Save this file while it runs, and see.

local Service = require "service"
local machine = require "machine"

local fleet = model "fleet" { services = list {
  Service { name = "web", description = "pages and pictures", pace = 1, isWanted = true },
  Service { name = "api", description = "what the app asks for", pace = 0.7, isWanted = true },
  Service { name = "queue", description = "work for later", pace = 3, isWanted = true },
  Service { name = "mailer", description = "letters and reports", isWanted = true },
  Service { name = "search", description = "the index", pace = 2 },
  Service { name = "backup", description = "every night", pace = 5 },
} }

local chosen = model "chosen" {
  tab = 1, message = "", time = now(),
}

every(1, function() chosen.time = now() end)

local services = controller.list { name = "services", content = "fleet.services" }

machine.watch(function() return chosen.tab == 2 end)
local processes = controller.list { name = "processes", content = "machine.processes" }

style.define("running", { textColor = "green" })
style.define("failed", { textColor = "red", bold = true })
style.define("busy", { textColor = "yellow" })

transformer("stateStyle", {
  running = "running", failed = "failed", stopping = "busy", waiting = "busy",
  [otherwise] = "muted",
})

local function duration(seconds)
  local minutes = math.floor(seconds / 60)
  if minutes < 60 then return ("%d:%02d"):format(minutes, math.floor(seconds % 60)) end
  return ("%d h %02d"):format(minutes // 60, minutes % 60)
end

transformer("duration", duration)

-- It follows the time, as it follows all that it reads.
transformer("age", function(since)
  return since and duration(math.max(0, chosen.time - since))
end)

-- What the keys do --------------------------------------------------------------------------------

-- To ask waits, as a command may.
local function isSure(text, button)
  return ask { title = "Sure?", text = text, buttons = { "Cancel", button },
    default = "Cancel" } == button
end

-- A command can be executed while its condition holds for what is selected; its buttons and keys
-- are off otherwise.
local function command(controller, condition, execute)
  return object {
    canExecute = computed(function()
      local selected = controller.selectedObject
      return selected ~= nil and condition(selected)
    end),
    execute = function() execute(controller.selectedObject) end,
  }
end

local start = command(services, function(service) return not service.isOn end,
  function(service) service:start() end)

local stop = command(services, function(service) return service.state == "running" end,
  function(service)
    if isSure(("Stop %s?"):format(service.name), "Stop") then service:stop() end
  end)

local restart = command(services, function(service) return service.state == "running" end,
  function(service)
    if isSure(("Restart %s?"):format(service.name), "Restart") then service:restart() end
  end)

local terminate = command(processes, function() return true end, function(process)
  if isSure(("End process %d, %s?"):format(process.id, process.command), "End") then
    chosen.message = machine.stop(process.id) or ""
  end
end)

-- What a key does: the command of the tab that is shown.
local function run(...)
  local commands = { ... }
  return function()
    local command = commands[chosen.tab]
    if command and command.canExecute then command:execute() end
  end
end

-- Views -------------------------------------------------------------------------------------------

local function state()
  return view.label { bindTo = {
    text = "dataObject.state", style = "dataObject.state | stateStyle",
  } }
end

local function button(id, title, command)
  return view.button { id = id, title = title, on = { touchUpInside = command } }
end

local function lines()
  local service = services.selectedObject
  return service and service.lines or list {}
end

local servicesTab = view.column { spacing = 1, padding = { 1, 0, 0, 0 },
  view.table { id = "services", label = "Services", height = 7, columns = {
      { title = "Service", path = "name", width = 12 },
      { title = "State", key = "state", width = 10, cell = state },
      { title = "Up", key = "since", path = "since | age", width = 10, align = "end" },
      { title = "Starts", path = "starts", width = 8 },
      { title = "Process", path = "program.id", width = 9, align = "end" },
      { title = "", path = "description", sort = false, minWidth = 10 },
    },
    bindTo = { items = "services.arrangedObjects", selectedIndex = "<> services.selectionIndex" },
  },
  view.row { spacing = 1,
    button("start", "Start", start), button("stop", "Stop", stop),
    button("restart", "Restart", restart),
  },
  view.box { title = function()
      local service = services.selectedObject
      return service and "What " .. service.name .. " writes" or ""
    end, grow = 1,
    view.list { id = "lines", label = "Lines", items = lines, followsEnd = true },
  },
}

local machineTab = view.column { spacing = 1, padding = { 1, 0, 0, 0 },
  view.table { id = "processes", label = "Processes", grow = 1, sort = "-cpu", columns = {
      { title = "PID", path = "id", width = 8 },
      { title = "User", path = "user", width = 10 },
      { title = "State", key = "state", width = 10, cell = state },
      { title = "CPU", path = "cpu | percent(1)", key = "cpu", sort = "cpu", width = 8,
        align = "end" },
      { title = "Memory", path = "memory | bytes", key = "memory", sort = "memory", width = 10,
        align = "end" },
      { title = "Up", path = "age | duration", key = "age", sort = "age", width = 10,
        align = "end" },
      { title = "Command", path = "command", minWidth = 12 },
    },
    bindTo = { items = "processes.arrangedObjects",
      selectedIndex = "<> processes.selectionIndex" },
  },
  view.label { id = "problem", style = "error", wrap = true, text = function()
    return chosen.message ~= "" and chosen.message or models.machine.problem
  end },
}

local function count(wanted)
  local found = 0
  for _, service in ipairs(fleet.services) do
    if service.state == wanted then found = found + 1 end
  end
  return found
end

show(view.window { title = "Services", view.column { grow = 1, padding = { 0, 1 },
  keys = {
    F2 = { title = "Services", run = function() chosen.tab = 1 end },
    F3 = { title = "Machine", run = function() chosen.tab = 2 end },
    F5 = { title = "Start", run = run(start) },
    F6 = { title = "Stop", run = run(stop, terminate) },
    F7 = { title = "Restart", run = run(restart) },
  },
  view.row { spacing = 2,
    view.label { bold = true, text = "Services" },
    view.label { id = "running", style = "running", text = function()
      return count "running" .. " running"
    end },
    view.label { id = "failed", style = "failed", text = function()
      local failed = count "failed"
      return failed > 0 and failed .. " failed" or ""
    end },
  },
  view.tabs { id = "tabs", grow = 1, titles = { "Services", "This machine" },
    servicesTab, machineTab, bindTo = { selected = "<> chosen.tab" } },
  view.keyBar { style = "muted" },
} })

for _, service in ipairs(fleet.services) do service:resume() end
views.services:focus()
