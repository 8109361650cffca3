-- The tasks, and what is done with them.

local people = require "people"

local Task = class "Task" {
  title = "", notes = "",
  state = property { enum = { "open", "doing", "done" }, default = "open" },
  priority = property { default = 2, type = "integer", validate = function(_, priority)
    if priority < 1 or priority > 3 then return nil, "A priority is 1 to 3." end
    return priority
  end },
  hours = 0.0,
  owner = property { type = "object" },
  tags = list {},
  isLate = computed(function(self) return self.hours > 8 and self.state ~= "done" end),
  finish = function(self)
    self.state = "done"
    self.hours = 0
  end,
  delegate = function(self, person)
    self.owner = person
    self.state = "open"
  end,
}

local project = model "project" {
  name = "Harbour",
  deadline = property { type = "number" },
  tasks = list {
    Task { title = "Paint the boat", hours = 6.0, owner = people.find "Ada" },
    Task { title = "Mend the nets", notes = "The green ones.", hours = 12.0, priority = 1 },
    Task { title = "Buy lamp oil", state = "doing", hours = 0.5 },
  },
}

local tasks = { Task = Task, all = project.tasks, project = project }

tasks.history = undo.manager { project, name = "history", limit = 50 }
tasks.open = project.tasks:filter(function(task) return task.state ~= "done" end)
tasks.byState = project.tasks:group("state")
tasks.urgent = tasks.open:sorted("priority"):slice(1, 5)

function tasks.add(title, hours)
  local task = Task { title = title, hours = hours or 1.0 }
  undo.group("New task", function() project.tasks:append(task) end)
  return task
end

function tasks.remove(task)
  undo.group("Remove", function() project.tasks:removeObject(task) end)
end

function tasks.total()
  local total = 0
  for _, task in ipairs(project.tasks) do total = total + task.hours end
  return total
end

function tasks.finishAll()
  batch(function()
    for _, task in ipairs(tasks.open:totable()) do task:finish() end
  end)
end

project.tasks:observe(function(change)
  log.debug("tasks: " .. change.kind, { count = #change.indexes })
end, { insertion = true, removal = true })

return tasks
