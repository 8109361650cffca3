-- A monitor of machines.

local hosts, probes = require "hosts", require "probes"
local alarms, charts = require "alarms", require "charts"

local view_state = model "ui" { host = property {}, search = "", isPaused = false, page = 1,
  confirm = object { text = "", isShown = false } }

transformer("latency", { transform = function(seconds) return ("%.0f ms"):format(seconds * 1000) end,
  reverse = function(text) return tonumber(text:match "%d+") / 1000 end })
transformer("dot", function(status) return status == "up" and "●" or "○" end)

local table_of_hosts = view.table { id = "hosts", grow = 2, items = hosts.network.hosts,
  sort = "name",
  columns = {
    { title = "", path = "status | dot", width = 2 },
    { title = "Host", path = "name", grow = 1, minWidth = 8, maxWidth = 30 },
    { title = "Address", path = "address", width = 15 },
    { title = "Latency", path = "latency | default(0) | latency", sort = "latency", width = 9 },
    { title = "Failures", path = "failures", align = "center", key = "bad" },
  },
  contextMenu = function()
    return { { title = "Ping", command = function() probes.ping(ui_host()) end }, "-",
      { title = "Ask", key = "Alt-A", enabled = true, command = function() probes.http(ui_host()) end } }
  end,
  bindTo = { selectedObject = "<> ui.host" },
}

function ui_host() return view_state.host or hosts.worst() end

local function eventCell(event)
  return view.cell { view.row { spacing = 1,
    view.label { width = 8, bindTo = { text = "dataObject.at | date('!%H:%M:%S')" } },
    view.label { width = 8, bindTo = { text = "dataObject.host" } },
    view.label { grow = 1, bindTo = { text = "dataObject.text" },
      style = function() return alarms.levels[event.level] end },
  } }
end

local eventList = view.list { id = "events", height = 6, items = hosts.network.events,
  cell = eventCell, followsEnd = true }

local detail = view.box { title = "Host", padding = { 0, 1 }, spacing = 0,
  view.label { id = "name", bold = true, bindTo = { text = { path = "ui.host.name", fallback = "-" } } },
  view.checkbox { id = "muted", title = "quiet", bindTo = { isOn = "<> alarms.isMuted" } },
  view.stepper { id = "limit", minimum = 1, maximum = 9, bindTo = { value = "<> alarms.limit" } },
  view.label { bindTo = { text = "network.owner.mail" } },
  view.label { bindTo = { text = "network.hosts.@max.failures | number(0)" } },
  view.label { bindTo = { text = "network.hosts.@distinctUnionOfObjects.status | join(', ')" } },
  view.label { bindTo = { text = "weather.value.degrees | suffix(' degrees')" } },
  view.label { bindTo = { text = "@superviewWithClass[box].title | lowercase" } },
}

probes.weather("Oslo")
local ticks = probes.ticks()
bind("received -> title", ticks, detail, { deliver = "frame", enabled = false })

local loop = every(30, function()
  if view_state.isPaused then return end
  alarms.check()
  for _, host in ipairs(hosts.network.hosts) do spawn(probes.ping, host) end
end)

local function addHost()
  local name = ask.text { title = "A new host", text = "What is it called?", buttons = { "Add", "No" } }
  if name then hosts.newHost(name, "10.0.0.99").port = 8080 end
end

local function stop()
  loop:cancel()
  alarms.stop()
  if ask { title = "Stopped", text = "Export?", buttons = { "Yes", "No" } } == "Yes" then
    probes.export("hosts.json")
  end
end

return view.window { title = "Monitor", view.column { id = "main", grow = 1, spacing = 1,
  keys = {
    F2 = { title = "New", run = addHost }, F10 = { title = "Stop", run = stop },
    Space = { title = "Pause", run = function() view_state.isPaused = not view_state.isPaused end },
    ["Ctrl-L"] = function() hosts.network.events:clear() end,
    Home = function() views.hosts:focus() end,
    End = function() views.events:scrollTo(#hosts.network.events) end,
  },
  view.row { spacing = 2, charts.legend("Latency"), charts.share,
    view.radio { id = "page", items = { "hosts", "chart" }, bindTo = { selectedIndex = "<> ui.page" } },
    view.spinner { isAnimating = true },
  },
  view.split { position = 50, view.column { table_of_hosts, charts.latency }, detail },
  eventList,
} }
