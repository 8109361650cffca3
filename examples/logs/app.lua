-- Lines as they come, from a file or from standard input:
--
--   tidelock run app.lua --allow read=/var/log -- /var/log/syslog
--   journalctl -f | tidelock run app.lua
--
-- With neither it shows some that are made up. Save this file while it runs, and see: no line is
-- lost, and what was typed stays.

local reading = require "reading"

-- How many lines are held; the oldest make room for new ones. To filter a full million of them takes
-- more memory than scripts have unless told otherwise: `--memory 1G`.
local limit = 1000000

-- What is shown, and what it is called. A stream is a list: it can be filtered, counted, shown and
-- bound as any other.
local function source()
  if arg[1] then
    return file.tail(arg[1], { name = "lines", limit = limit, lines = 1000 }),
      arg[1]:match "[^/]+$"
  end
  -- Where the keyboard is standard input, asking for its lines is an error.
  local isThere, lines = pcall(stdin.lines, { name = "lines", limit = limit })
  if isThere then return lines, "standard input" end
  return require "sample"(limit), "a made-up server"
end

local lines, name = source()

-- A pattern that cannot be read stays in its field, with what is wrong with it.
local function entry()
  return property { default = "", validate = function(self, text)
    local mistake = self.isPattern and reading.mistake(text)
    if mistake then return nil, mistake end
    return text
  end }
end

-- What the person at the keyboard has chosen.
local viewer = model "viewer" {
  isPattern = false, filter = entry(), search = entry(),
  -- Whether the newest line is kept in sight.
  isFollowing = true,
  -- The row that the keys are at.
  row = property { type = "integer", nullable = true },
  message = "",
}

-- Lines a second, for the last minute.
local rates = model "rates" { seen = 0, last = 0, history = list {} }

every(1, function()
  rates.last = math.max(0, lines.received - rates.seen)
  rates.seen = lines.received
  rates.history:append(rates.last)
  if #rates.history > 60 then rates.history:remove(1) end
end)

-- Another filter makes another list. Its function reads no model, so that a million lines need not
-- be watched one by one.
local shown = object { list = computed(function()
  local find = reading.finder(viewer.filter, viewer.isPattern)
  if not find then return lines end
  return lines:filter(function(line) return find(line) ~= nil end)
end) }

style.define("failure", { textColor = "red" })
style.define("caution", { textColor = "yellow" })
style.define("chatter", { dim = true })
style.define("found", { reverse = true })

-- It runs for the rows in sight alone, and again when what is looked for changes.
transformer("decorated", function(line)
  return line and reading.decorate(line, reading.finder(viewer.search, viewer.isPattern))
end)

-- What the keys do --------------------------------------------------------------------------------

-- Whoever goes to a row wants to read there; whoever goes to the last one, to see what comes.
local function go(row)
  viewer.row = row
  viewer.isFollowing = row >= #shown.list
end

-- Goes to the next line with what is looked for, in steps of 1 or -1.
local function search(step)
  local find = reading.finder(viewer.search, viewer.isPattern)
  if not find then return views.search:focus() end
  local list = shown.list
  local count = #list
  local start = viewer.row or (step > 0 and 0 or count + 1)
  for row = start + step, step > 0 and count or 1, step do
    if find(list[row]) then
      viewer.message = ""
      return go(row)
    end
  end
  viewer.message = step > 0 and "no further match" or "no earlier match"
end

-- Views -------------------------------------------------------------------------------------------

local function line()
  return view.cell { view.label { bindTo = { text = "dataObject | decorated" } } }
end

-- A filter of a million lines takes a moment, so it waits for a pause in the typing.
local function field(id, placeholder, delay, enter)
  return view.field { id = id, grow = 1, placeholder = placeholder,
    bindTo = { text = { path = "<> viewer." .. id, delay = delay } },
    on = { editingDidEndOnExit = function()
      views.lines:focus()
      enter()
    end } }
end

show(view.window { title = name, view.column { grow = 1, padding = { 0, 1 },
  keys = {
    Space = { title = "Pause", run = function()
      viewer.isFollowing = not viewer.isFollowing
    end },
    f = { title = "Filter", run = function() views.filter:focus() end },
    ["/"] = { title = "Find", run = function() views.search:focus() end },
    n = { title = "Next", run = function() search(1) end },
    g = { title = "First", run = function() go(1) end },
    G = { title = "Last", run = function() go(#shown.list) end },
    -- Those without a title are not in the bar, which is full; `?` shows them.
    N = function() search(-1) end,
    p = function() viewer.isPattern = not viewer.isPattern end,
    q = function() exit() end,
    Escape = function() views.lines:focus() end,
  },
  view.row { spacing = 2,
    view.label { bold = true, text = name },
    view.label { id = "count", style = "muted", bindTo = {
      text = "lines.received | number(0, grouped) | suffix(' lines')",
    } },
    view.label { id = "state", text = function()
      if not viewer.isFollowing then return rich.style("warning", "paused") end
      if lines.error then return rich.style("error", lines.error) end
      return lines.loading and rich.style("success", "live") or rich.style("muted", "ended")
    end },
    view.label { id = "message", style = "accent", bindTo = { text = "viewer.message" } },
    view.spacer {},
    view.label { id = "rate", style = "muted", bindTo = {
      text = "rates.last | number(0, grouped) | suffix('/s')",
    } },
    view.chart { kind = "spark", width = 20, minimum = 0, textColor = "cyan",
      values = rates.history },
  },
  view.row { spacing = 2, margin = { 0, 0, 1, 0 },
    field("filter", "show only lines with", 0.2, function() end),
    field("search", "mark and find", nil, function() search(1) end),
    view.checkbox { id = "isPattern", title = "pattern", tooltip = "%d is a digit, .- anything",
      bindTo = { isOn = "<> viewer.isPattern" } },
  },
  view.list { id = "lines", label = "Lines", grow = 1, rowHeight = 1, cell = line,
    items = function() return shown.list end,
    bindTo = { selectedIndex = "<> viewer.row", followsEnd = "<> viewer.isFollowing" },
  },
  view.keyBar { style = "muted" },
} })

views.lines:focus()
