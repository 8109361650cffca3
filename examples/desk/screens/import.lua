-- The dialog in which devices are imported, with a bar and a way to stop.

local importing = require "importing"
local progress = importing.progress

local function isRunning() return progress.isRunning end
local function isResting() return not progress.isRunning end

local function close()
  if not progress.isRunning then progress.isShown = false end
end

return {
  view = view.dialog { id = "import", modal = true, title = "Import devices", padding = { 1, 2 },
    spacing = 1, width = 64,
    hidden = function() return not progress.isShown end,
    on = { close = close },
    view.label { style = "muted", wrap = true,
      text = "Rows of tag, name, kind, place and note; a known tag is changed." },
    view.row { spacing = 1,
      view.field { id = "path", grow = 1, placeholder = "a file at the server: data/devices.csv",
        bindTo = { text = "<> importing.path" },
        on = { editingDidEndOnExit = importing.readFile } },
      view.button { id = "read", title = "Read", enabled = isResting,
        on = { touchUpInside = importing.readFile } },
    },
    view.textArea { id = "csv", height = 7, placeholder = "D-001,Label printer,Office,Shelf 3",
      enabled = isResting, bindTo = { text = "<> importing.text" } },
    view.progress { id = "bar", label = "Imported", bindTo = { value = "importing.done" } },
    view.label { id = "imported", wrap = true, bindTo = { text = "importing.message" } },
    view.row { spacing = 1,
      view.spacer {},
      view.button { id = "stop", title = "Stop", hidden = isResting,
        on = { touchUpInside = importing.stop } },
      view.button { id = "closeImport", title = "Close", hidden = isRunning,
        on = { touchUpInside = close } },
      view.button { id = "start", title = "Import", hidden = isRunning,
        enabled = function() return progress.text ~= "" end,
        on = { touchUpInside = importing.run } },
    },
  },
  open = function() progress.isShown, progress.message, progress.done = true, "", 0 end,
}
