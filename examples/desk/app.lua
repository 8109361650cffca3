-- A desk that lends devices, for a team: each person has a screen of their own, in a browser.
--
--   tidelock run app.lua                                        alone, to look around
--   tidelock serve app.lua --sessions private --allow store=data -- data/desk.db
--
-- The second keeps the desk in a database; the folder data has to be there. The article "A tool for
-- a team" goes on from here to a service with backups. Save a file while it runs, and see.

local desk, me = require "desk", require "me"

-- Restored before anything is shown.
if arg[1] then desk.keep(arg[1]) end

local devices, people = require "screens.devices", require "screens.people"
local history, import = require "screens.history", require "screens.import"

local main = model "main" { tab = 1 }

-- Each person's own, who finds it when they come again.
if arg[1] then
  session.keep(devices.shown)
  session.keep(main)
end

-- What the keys do --------------------------------------------------------------------------------

local function takeBack()
  me:tell(desk.undoing.undoTitle and "Took back: " .. desk.undoing.undoTitle)
  desk.takeBackStep()
end

local function doAgain()
  me:tell(desk.undoing.redoTitle and "Did again: " .. desk.undoing.redoTitle)
  desk.repeatStep()
end

local function add()
  main.tab = 1
  devices.add()
end

local function openImport()
  if me.isKeeper then import.open() end
end

-- Views -------------------------------------------------------------------------------------------

-- How the desk is kept the same for all.
local function state()
  local sync = desk.data.sync
  if sync.error ~= "" then return sync.error end
  if sync.state ~= "live" then return "Working offline" end
  return sync.pending > 0 and "Saving" or ""
end

local function count()
  return ("%d of %d"):format(#devices.devices.arrangedObjects, #desk.data.devices)
end

-- Somebody whom the server lets in, and who is none of the people.
local function greeting()
  if not me.isNamed or me.isMember then return "" end
  return ("%s is none of the people here, and may look."):format(viewer.name)
end

local function message()
  if state() ~= "" then return state() end
  return me.message ~= "" and me.message or greeting()
end

show(view.window { title = "Desk", view.column { id = "main", grow = 1, padding = { 0, 1 },
  view.row { spacing = 2,
    view.label { bold = true, text = "Desk" },
    view.label { id = "count", style = "muted", text = count },
    view.label { id = "message", grow = 1, style = "success", text = message },
    view.label { id = "who", text = function() return me.name end,
      hidden = function() return not me.isNamed end },
    view.picker { id = "me", width = 18, placeholder = "who are you?",
      tooltip = "Who sits at this screen", hidden = function() return me.isNamed end,
      bindTo = { items = "desk.people", selectedObject = "<> me.person" } },
    view.checkbox { id = "onlyLent", title = "lent", bindTo = { isOn = "<> shown.onlyLent" } },
    view.field { id = "search", width = 14, placeholder = "filter",
      bindTo = { text = "<> shown.search" },
      on = { editingDidEndOnExit = function() views.devices:focus() end } },
  },
  view.tabs { id = "tabs", grow = 1, titles = { "Devices", "People", "History" },
    bindTo = { selected = "<> main.tab" },
    devices.view, people.view, history.view },
  view.keyBar { style = "muted" },
  import.view,
} })

effect(function()
  views.main.keys = {
    F2 = me.isKeeper and { title = "New", run = add } or nil,
    F4 = me.isKeeper and { title = "Import", run = openImport } or nil,
    F7 = { title = "Undo", run = takeBack },
    F8 = { title = "Redo", run = doAgain },
    ["/"] = function() views.search:focus() end,
  }
end)

views.devices:focus()
