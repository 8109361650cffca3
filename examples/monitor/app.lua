-- A dashboard of the machine that the program runs on. The program exposes `models.machine` and
-- brings it up to date once a second; everything that you see of it is bound here.

local machine = models.machine

-- What the person at the keyboard has chosen. A model, so that it is kept when this file is saved.
local chosen = model "chosen" {
  sort = "-cpu", filter = "", kernel = true, process = property {}, details = property {},
}

-- Colours are the terminal's own, so that light and dark ones both look right, and most of what is
-- shown has none: colour is for what wants to be seen.
transformer("heat", function(share)
  return share >= 0.85 and "red" or share >= 0.6 and "yellow" or "cyan"
end)

-- A processor is much for one process.
transformer("effort", function(share)
  return share >= 0.8 and "red" or share >= 0.3 and "yellow" or nil
end)

transformer("clock", function(seconds)
  local minutes = math.floor(seconds / 60)
  if minutes >= 6000 then return ("%d h"):format(minutes // 60) end
  return ("%d:%05.2f"):format(minutes, seconds - minutes * 60)
end)

transformer("age", function(seconds)
  local minutes = math.floor(seconds / 60)
  return ("up %d d %02d:%02d"):format(minutes // 1440, minutes // 60 % 24, minutes % 60)
end)

-- At most four characters.
transformer("rate", function(bytes)
  local unit = 1
  while bytes >= 1000 and unit < 6 do bytes, unit = bytes / 1024, unit + 1 end
  local pattern = unit > 1 and bytes < 9.95 and "%.1f%s" or "%.0f%s"
  return pattern:format(bytes, ("BKMGTP"):sub(unit, unit))
end)

local states = {
  R = "running", S = "sleeping", D = "waiting for a disk", I = "idle", T = "stopped", Z = "ended",
}
local stateColors = { R = "green", D = "red", Z = "red", T = "yellow" }
transformer("stateColor", function(state) return stateColors[state] end)

-- Processes ---------------------------------------------------------------------------------------

local function matches(process)
  if process.isKernelThread and not chosen.kernel then return false end
  local text = chosen.filter:lower()
  if text == "" then return true end
  local searched = { process.pid, process.user, process.name, process.command }
  return table.concat(searched, " "):lower():find(text, 1, true) ~= nil
end

-- It filters; the table sets how it sorts.
controller.list { name = "processes", content = "machine.processes", filter = matches,
  avoidsEmptySelection = false, selectsInsertedObjects = false, clearsFilterOnInsertion = false,
}

-- By a column the way one wants it first, and the other way round when asked again.
local function sortBy(order)
  local reverse = order:sub(1, 1) == "-" and order:sub(2) or "-" .. order
  return function() chosen.sort = chosen.sort == order and reverse or order end
end

local function effort()
  return view.label { bindTo = {
    text = "dataObject.cpu | percent(1)", textColor = "dataObject.cpu | effort",
  } }
end

local function state()
  return view.label { bindTo = {
    text = "dataObject.state", textColor = "dataObject.state | stateColor",
  } }
end

local function command()
  return view.label { bindTo = {
    text = "dataObject.command", style = "dataObject.isKernelThread | choose(muted, '')",
  } }
end

local columns = {
  { title = "PID", path = "pid", width = 7 },
  { title = "User", path = "user", width = 9 },
  { title = "S", path = "state", width = 3, cell = state },
  { title = "CPU", path = "cpu", width = 7, align = "end", cell = effort },
  { title = "Memory", key = "memory", path = "memory | bytes", width = 9, align = "end" },
  { title = "Time", key = "time", path = "time | clock", width = 9, align = "end" },
  { title = "Command", key = "name", path = "command", minWidth = 16, cell = command,
    sort = function(process) return process.name:lower() end },
}

-- Figures -----------------------------------------------------------------------------------------

-- The last minute, which at first is as long as the program has run.
local function course(history, fields)
  fields.kind, fields.grow, fields.width, fields.minimum = "line", 1, 8, 0
  fields.points = function() return math.max(15, math.min(60, #history)) end
  return view.chart(fields)
end

local function percent(share) return share * 100 end

-- What is in use, as a share of 1.
local function used(path)
  return view.label { bold = true, bindTo = {
    text = path .. " | percent", textColor = path .. " | heat",
  } }
end

-- A width to begin with, from which it grows: the same whatever the figures are.
local function panel(width, grow, heading, picture)
  heading.spacing, picture.spacing, picture.grow = 1, 2, 1
  return view.column { width = width, grow = grow, view.row(heading), view.row(picture) }
end

local function cpu()
  local cores = machine.cores
  return panel(15, 2, {
    view.label { bold = true, text = "CPU" },
    used "machine.cpu.busy",
    view.label { grow = 1, style = "muted", text = function()
      local all = machine.cpu
      return ("user %.0f sys %.0f wait %.0f"):format(
        all.user * 100, all.system * 100, all.wait * 100)
    end },
  }, {
    course(machine.cpu.history, { maximum = 100, scale = true, textColor = "cyan",
      values = machine.cpu.history:map(percent) }),
    view.chart { kind = "bar", minimum = 0, maximum = 1, scale = false, textColor = "cyan",
      tooltip = "each processor",
      -- Two cells a processor and a gap, unless there are many.
      width = function() return #cores > 12 and #cores or #cores * 3 end,
      values = cores:map(function(core) return core.busy end),
    },
  })
end

local function memory()
  local history = machine.memory.history
  return panel(11, 1, {
    view.label { bold = true, text = "Memory" },
    used "machine.memory.share",
    view.label { grow = 1, style = "muted", text = function()
      return ("of %.0f GiB"):format(machine.memory.total / 2 ^ 30)
    end },
  }, {
    course(history, { maximum = 100, scale = false, textColor = "cyan",
      values = history:map(percent) }),
  })
end

local function network()
  local received, sent = machine.network.receivedHistory, machine.network.sentHistory
  return panel(9, 1, {
    view.label { bold = true, text = "Net" },
    view.label { bold = true, textColor = "cyan", bindTo = {
      text = "machine.network.received | rate | prefix('↓')",
    } },
    view.label { bold = true, textColor = "magenta", bindTo = {
      text = "machine.network.sent | rate | prefix('↑')",
    } },
    view.label { grow = 1, style = "muted", text = "/s" },
  }, {
    course(received, { scale = false, values = {
      { values = received, color = "cyan" }, { values = sent, color = "magenta" },
    } }),
  })
end

-- The whole ---------------------------------------------------------------------------------------

local function fact(title, text)
  return view.row { spacing = 1,
    view.label { width = 9, style = "muted", text = title },
    view.label { grow = 1, wrap = true, text = function()
      return chosen.details and text(chosen.details) or ""
    end },
  }
end

-- Of a process that may have ended meanwhile.
local function details()
  local function close() chosen.details = nil end
  return view.dialog { id = "details", modal = true, maxWidth = 64, padding = { 1, 2 },
    title = function() return chosen.details and chosen.details.name or "" end,
    hidden = function() return not chosen.details end,
    on = { close = close },
    fact("PID", function(process) return tostring(process.pid) end),
    fact("User", function(process) return process.user end),
    fact("State", function(process) return states[process.state] or process.state end),
    fact("Threads", function(process) return tostring(process.threads) end),
    fact("Command", function(process) return process.command end),
    view.row { margin = { 1, 0, 0, 0 },
      view.spacer {},
      view.button { title = "Close", on = { touchUpInside = close } },
    },
  }
end

local function stopFiltering()
  chosen.filter = ""
  views.processes:focus()
end

show(view.window { title = "Monitor", view.column { grow = 1, padding = { 0, 1 }, spacing = 1,
  keys = {
    c = { title = "CPU", run = sortBy "-cpu" }, m = { title = "Memory", run = sortBy "-memory" },
    p = { title = "PID", run = sortBy "pid" }, n = { title = "Name", run = sortBy "name" },
    k = { title = "Kernel", run = function() chosen.kernel = not chosen.kernel end },
    ["/"] = { title = "Filter", run = function() views.filter:focus() end },
    Escape = stopFiltering,
  },
  view.row { spacing = 2,
    view.label { bold = true, bindTo = { text = "machine.host" } },
    view.label { style = "muted", bindTo = { text = "machine.uptime | age" } },
    view.spacer {},
    view.label { style = "muted", text = "load" },
    view.label { text = function()
      local load = machine.load
      return ("%.2f  %.2f  %.2f"):format(load.one, load.five, load.fifteen)
    end },
  },
  -- The same goes for heights: nothing else moves when there are few rows.
  view.row { height = 6, grow = 1, spacing = 2, cpu(), memory(), network() },
  view.column { height = 13, grow = 3,
    view.row { spacing = 1,
      view.label { bold = true, text = "Processes" },
      view.label { style = "muted", text = function()
        return ("%d of %d"):format(#models.processes.arrangedObjects, #machine.processes)
      end },
      view.spacer {},
      view.field { id = "filter", width = 24, placeholder = "filter",
        bindTo = { text = "<> chosen.filter" },
        on = { editingDidEndOnExit = function() views.processes:focus() end } },
    },
    view.table { id = "processes", label = "Processes", columns = columns,
      keys = { Enter = { title = "Details", run = function()
        chosen.details = chosen.process
      end } },
      bindTo = { items = "processes.arrangedObjects", selectedObject = "<> chosen.process",
        sort = "<> chosen.sort" },
    },
  },
  view.keyBar { style = "muted" },
  details(),
} })

views.processes:focus()
