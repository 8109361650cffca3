-- Tasks of a crew, with a table, a form and a list of people.

local tasks, people = require "tasks", require "people"
local chosen, commands = require "chosen", require "commands"
local cells, format = require "cells", require "format"

local selection = controller.list { name = "selection", content = "project.tasks",
  objectClass = tasks.Task, sort = "title", avoidsEmptySelection = false,
  filter = function(task) return task.title:lower():find(chosen.search:lower(), 1, true) ~= nil end,
}

local columns = {
  { title = "Task", path = "title", grow = 2, minWidth = 12 },
  { title = "State", path = "state", width = 8 },
  { title = "Hours", path = "hours | hours", width = 8, sort = "hours", align = "end" },
  { title = "Owner", path = "owner.name", width = 10 },
}

local taskTable = view.table { id = "tasks", grow = 1, columns = columns,
  bindTo = { items = "selection.arrangedObjects", selectedIndex = "<> selection.selectionIndex",
    selectedObject = "-> chosen.task" },
  rowStyle = function(task) if task.isLate then return "late" end end,
  keys = { Delete = commands.remove, Enter = { title = "Edit", run = commands.save } },
  on = { didSelect = function(_, event) chosen.task = event.value end },
}

local editor = view.form { id = "editor", spacing = 1, padding = { top = 1, left = 2 },
  on = { submit = commands.save },
  view.field { id = "title", label = "Title", maxLength = 40,
    bindTo = { text = { path = "<> chosen.task.title", fallback = "", continuous = false } } },
  view.textArea { id = "notes", label = "Notes", height = 4,
    bindTo = { text = { path = "<> selection.selection.notes", noSelection = "nothing chosen" } } },
  view.picker { label = "State", items = { "open", "doing", "done" },
    bindTo = { selectedObject = "<> selection.selection.state" } },
  view.stepper { label = "Priority", minimum = 1, maximum = 3,
    bindTo = { value = "<> selection.selection.priority" } },
  view.button { id = "save", title = "Save", role = "submit",
    bindTo = { enabled = "chosen.isEditing" } },
}

local crew = view.list { id = "crew", grow = 1, items = people.members, cell = cells.person,
  selectionMode = "one", on = { didSelect = function(_, event) chosen.message = event.value.name end },
}

local summary = view.row { spacing = 2,
  view.badge { dataObject = tasks.project, id = "count", caption = "Tasks", color = "green",
    bindTo = { count = "project.tasks.@count" }, on = { opened = commands.search } },
  view.label { id = "total", bindTo = { text = "project.tasks.@sum.hours | hours" } },
  view.label { id = "urgent", bindTo = { text = "project.tasks.@max.priority | number(0)" } },
  view.label { dataObject = people.crew.captain, style = "muted", bindTo = { text = "dataObject.phone" } },
  view.progress { width = 20, value = function()
    return #tasks.all > 0 and 1 - #tasks.open / #tasks.all or 0
  end },
}

bind "chosen.message -> message.text"
bind("search <> text", chosen, view.field {}, { delay = 0.2, continuous = true })
observe(chosen, "task", function(task) chosen.isEditing = task ~= nil end, { initial = true })
effect(function()
  views.tasks.sort = chosen.sort
  views.total.tooltip = format.hours(tasks.total())
end)
notification.observe("saved", function(note) log.info("saved", { by = note.name }) end)
on(summary, "opened", function(_, event) chosen.message = event.name end)
every(60, function() chosen.message = "" end)

return view.window { title = "Tracker", view.column { id = "main", grow = 1, padding = { 0, 1 },
  keys = {
    F2 = { title = commands.titles.add, run = commands.add },
    F8 = { title = commands.titles.remove, run = commands.remove },
    ["Ctrl-S"] = commands.save, ["Ctrl-Z"] = commands.undo, ["Alt-Up"] = commands.redo,
    ["/"] = { title = "Find", run = commands.search },
  },
  view.row { spacing = 2,
    view.label { style = "title", bindTo = { text = "project.name | uppercase" } },
    view.label { id = "message", grow = 1, style = "calm" },
    view.field { id = "search", width = 20, placeholder = "search",
      bindTo = { text = "<> chosen.search" },
      on = { editingDidEndOnExit = function() views.tasks:focus() end } },
  },
  view.tabs { grow = 1, titles = { "Tasks", "Crew" }, bindTo = { selected = "<> chosen.tab" },
    view.row { grow = 1, taskTable, editor },
    crew,
  },
  view.list { id = "first", height = 5, items = tasks.urgent, cell = cells.task },
  summary,
  view.button { id = "hire", title = "Hire", on = {
    touchUpInside = function() commands.hire("Eve") end } },
  view.keyBar { style = "muted" },
} }
