-- A dashboard of the machine that the program runs on. The program exposes `models.machine` and
-- brings it up to date once a second; everything that you see of it is bound here.

local machine = models.machine

-- What the person at the keyboard has chosen. A model, so that it is kept when this file is saved.
local chosen = model "chosen" {
  order = "cpu", reversed = false, filter = "", kernel = true, process = property {},
}

-- Colours, by how much of what there is is in use.
local function heat(share)
  return share >= 0.85 and "red" or share >= 0.6 and "yellow" or "green"
end

transformer("heat", heat)

-- Most processes do nothing, and a processor is much for one.
transformer("effort", function(share)
  return share >= 0.8 and "red" or share >= 0.3 and "yellow" or share > 0 and "green" or nil
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

local states = { R = "green", D = "red", Z = "red", T = "yellow" }
transformer("stateColor", function(state) return states[state] end)

-- Processes -------------------------------------------------------------------------------------

local orders = {
  cpu = { title = "CPU%", descending = true },
  memory = { title = "MEMORY", descending = true },
  pid = { title = "PID", descending = false },
  name = { title = "COMMAND", descending = false },
}

local function isDescending()
  return orders[chosen.order].descending ~= chosen.reversed
end

local function sortBy(order)
  return function()
    chosen.reversed = chosen.order == order and not chosen.reversed
    chosen.order = order
  end
end

local function matches(process, text)
  if process.isKernelThread and not chosen.kernel then return false end
  if text == "" then return true end
  local searched = { process.pid, process.user, process.name, process.command }
  return table.concat(searched, " "):lower():find(text, 1, true) ~= nil
end

-- The rows in sight: always the same list, so that the selected process stays selected.
local rows = list {}

effect(function()
  local text, order, descending = chosen.filter:lower(), chosen.order, isDescending()
  local found, keys, pids = {}, {}, {}
  for _, process in ipairs(machine.processes) do
    if matches(process, text) then
      found[#found + 1] = process
      local key = process[order]
      keys[process], pids[process] = type(key) == "string" and key:lower() or key, process.pid
    end
  end
  table.sort(found, function(a, b)
    local x, y = keys[a], keys[b]
    if x == y then return pids[a] < pids[b] end
    if descending then return x > y end
    return x < y
  end)
  rows:set(found)
end)

local function heading(order)
  return function()
    local mark = chosen.order ~= order and "" or isDescending() and " ▼" or " ▲"
    return orders[order].title .. mark
  end
end

local function row()
  return view.cell {
    view.label { width = 7, align = "end", bindTo = { text = "dataObject.pid" } },
    view.label { width = 9, bindTo = { text = "dataObject.user" } },
    view.label { width = 1, bindTo = {
      text = "dataObject.state", textColor = "dataObject.state | stateColor",
    } },
    view.label { width = 7, align = "end", bindTo = {
      text = "dataObject.cpu | percent(1)", textColor = "dataObject.cpu | effort",
    } },
    view.label { width = 9, align = "end", bindTo = { text = "dataObject.memory | bytes" } },
    view.label { width = 9, align = "end", bindTo = { text = "dataObject.time | clock" } },
    view.label { grow = 1, bindTo = {
      text = "dataObject.command", style = "dataObject.isKernelThread | choose(muted, '')",
    } },
  }
end

-- Boxes -----------------------------------------------------------------------------------------

-- Two columns a processor and a gap, or as many as there are.
local function bars()
  local values, wide = {}, #machine.cores <= 12
  for _, core in ipairs(machine.cores) do
    values[#values + 1] = core.busy
    if wide then
      values[#values + 1] = core.busy
      values[#values + 1] = 0 / 0
    end
  end
  if wide then values[#values] = nil end
  return values
end

-- The course of a share of 1, as wide as there is room.
local function share(values, now)
  return view.chart { width = 8, grow = 1, minimum = 0, maximum = 1, bindTo = {
    values = values, textColor = now .. " | heat",
  } }
end

local function cpu()
  return view.box { title = "CPU", grow = 4, padding = { 0, 1 },
    view.row { spacing = 1,
      view.label { width = 4, bold = true, bindTo = {
        text = "machine.cpu.busy | percent", textColor = "machine.cpu.busy | heat",
      } },
      view.label { width = 22, style = "muted", text = function()
        local all = machine.cpu
        return ("user %.0f sys %.0f wait %.0f"):format(
          all.user * 100, all.system * 100, all.wait * 100)
      end },
    },
    view.row { spacing = 2, grow = 1,
      share("machine.cpu.history", "machine.cpu.busy"),
      view.chart { minimum = 0, maximum = 1, values = bars,
        width = function() return math.min(36, #bars()) end,
        bindTo = { textColor = "machine.cpu.busy | heat" },
      },
    },
  }
end

local function memory()
  local function part(title, used, total, now)
    return view.row { spacing = 1,
      view.label { width = 4, style = "muted", text = title },
      view.progress { width = 4, grow = 1, bindTo = {
        value = "machine.memory." .. now, textColor = "machine.memory." .. now .. " | heat",
      } },
      view.label { width = 13, align = "end", text = function()
        local all, gib = machine.memory[total], 2 ^ 30
        if all == 0 then return "none" end
        local pattern = all < 100 * gib and "%.1f/%.1f GiB" or "%.0f/%.0f GiB"
        return pattern:format(machine.memory[used] / gib, all / gib)
      end },
    }
  end
  return view.box { title = "Memory", grow = 3, padding = { 0, 1 },
    part("RAM", "used", "total", "share"),
    part("swap", "swapUsed", "swapTotal", "swapShare"),
    view.row { grow = 1, share("machine.memory.history", "machine.memory.share") },
  }
end

local function load()
  return view.box { title = "Load", grow = 3, padding = { 0, 1 },
    view.label { width = 18, bold = true,
      text = function()
        local averages = machine.load
        return ("%.2f %.2f %.2f"):format(averages.one, averages.five, averages.fifteen)
      end,
      textColor = function() return heat(machine.load.one / machine.load.coreCount) end,
    },
    view.row { grow = 1,
      -- As high as it goes is a task for each processor.
      view.chart { width = 8, grow = 1, minimum = 0, bindTo = {
        values = "machine.load.history", maximum = "machine.load.coreCount",
      } },
    },
    view.row { spacing = 1,
      view.label { width = 6, bindTo = { text = "machine.network.received | rate | prefix('↓')" } },
      view.label { width = 6, bindTo = { text = "machine.network.sent | rate | prefix('↑')" } },
      view.label { style = "muted", text = "/s" },
    },
    view.label { width = 18, style = "muted", text = function()
      return ("%d of %d run"):format(machine.load.running, machine.load.tasks)
    end },
  }
end

-- The whole -------------------------------------------------------------------------------------

local function stopFiltering()
  chosen.filter = ""
  views.processes:focus()
end

local shown = view.column { grow = 1,
  keys = {
    c = sortBy "cpu", m = sortBy "memory", p = sortBy "pid", n = sortBy "name",
    k = function() chosen.kernel = not chosen.kernel end,
    ["/"] = function() views.filter:focus() end,
    Escape = stopFiltering,
  },
  view.row { backgroundColor = "blue", textColor = "white", spacing = 2, padding = { 0, 1 },
    view.label { bold = true, text = "tidelock monitor" },
    view.label { bindTo = { text = "machine.host" } },
    view.spacer {},
    view.label { bindTo = { text = "machine.uptime | age" } },
  },
  view.row { grow = 1, cpu(), memory(), load() },
  view.row { spacing = 1, padding = { 0, 1 },
    view.label { bold = true, text = "Processes" },
    view.label { style = "muted", text = function()
      return ("%d of %d"):format(#rows, #machine.processes)
    end },
    view.spacer {},
    view.label { text = "Filter" },
    view.field { id = "filter", width = 24, placeholder = "press /", bindTo = {
      text = "<> chosen.filter",
    }, on = { editingDidEndOnExit = function() views.processes:focus() end } },
  },
  view.row { style = "reverse", spacing = 1,
    view.label { width = 7, align = "end", text = heading "pid" },
    view.label { width = 9, text = "USER" },
    view.label { width = 1, text = "S" },
    view.label { width = 7, align = "end", text = heading "cpu" },
    view.label { width = 9, align = "end", text = heading "memory" },
    view.label { width = 9, align = "end", text = "TIME" },
    view.label { grow = 1, text = heading "name" },
  },
  -- Of a fixed height before it grows, so that nothing else moves when there are few rows.
  view.list { id = "processes", items = rows, cell = row, rowHeight = 1, height = 4, grow = 9,
    bindTo = { selectedObject = "<> chosen.process" },
  },
  view.row { padding = { 0, 1 }, spacing = 2, style = "muted",
    view.label { text = function()
      local process = chosen.process
      if not process then return "Arrow keys select a process." end
      local threads = process.threads == 1 and "1 thread" or process.threads .. " threads"
      return ("%d %s, %s"):format(process.pid, process.name, threads)
    end },
    view.label { grow = 1, text = function()
      return chosen.process and chosen.process.command or ""
    end },
  },
  view.label { style = "muted", margin = { 0, 1 },
    text = "c CPU  m memory  p PID  n name (again reverses)  / filter  k kernel  r reload",
  },
}

show(shown)
views.processes:focus()
