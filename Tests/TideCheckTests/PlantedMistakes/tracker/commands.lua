-- What keys, menus and buttons do.

local tasks, people, chosen = require "tasks", require "people", require "chosen"

local commands = {}

function commands.add()
  chosen.task = tasks.add("New task", 2.0)
  chosen.message = "Somebody has to do it."
  views.title:focus()
end

function commands.remove()
  if not chosen.task then return end
  tasks.remove(chosen.task)
  chosen.task = nil
end

function commands.save()
  chosen.isEditing = false
  chosen.message = ("%d tasks, %.1f hours"):format(#tasks.all, tasks.total())
  notification.post("saved", tasks.project, { at = now() })
end

function commands.search()
  chosen.search = ""
  views.search:focus()
end

function commands.hire(name)
  local person = people.hire(name, "Deck")
  chosen.message = people.email(person)
  return person
end

commands.undo = function() tasks.history:undo() end
commands.redo = function() tasks.history:redo() end

commands.titles = { add = "New", remove = "Remove", save = "Save" }

return commands
