-- A list of things to do: a controller filters and selects, the figures follow from paths over the
-- whole list, and commands know when they can be used. Save this file while it runs, and see.

local Task = class "Task" {
  title = "", minutes = 30, done = false, notes = "",
  left = computed(function(self) return self.done and 0 or self.minutes end),
}

-- A model, so that it is kept when this file is saved.
local todo = model "todo" {
  tasks = list {
    Task { title = "Water the plants", minutes = 10, done = true },
    Task { title = "Answer Ada's letter", minutes = 45, notes = "She asks about the new lamp." },
    Task { title = "Buy lamp oil for the lighthouse", minutes = 25 },
    Task { title = "Wind the clock", minutes = 5, done = true },
    Task { title = "Read the tide table", minutes = 15 },
    Task { title = "Paint the boat", minutes = 180, notes = "Blue, as it was." },
  },
  show = 1, draft = "", clearing = false,
}

local shown = {
  { title = "All", matches = function() return true end },
  { title = "Open", matches = function(task) return not task.done end },
  { title = "Done", matches = function(task) return task.done end },
}

local tasks = controller.list { name = "tasks", objectClass = Task, content = "todo.tasks",
  -- The filter stays when a task is added; `add` sees to it that the new one is in sight.
  clearsFilterOnInsertion = false,
  filter = function(task) return shown[todo.show].matches(task) end,
}

transformer("hours", function(minutes)
  if minutes < 60 then return ("%d min"):format(minutes) end
  return ("%d h %02d"):format(minutes // 60, minutes % 60)
end)

view.placeholders("field", { text = { noSelection = "" } })
view.placeholders("textArea", { text = { noSelection = "" } })

-- Commands ----------------------------------------------------------------------------------------

-- A command's `canExecute` decides whether the buttons that have it are enabled.
local add = object {
  canExecute = computed(function() return todo.draft:find "%S" ~= nil end),
  execute = function()
    -- "Feed the cat 5" takes 5 minutes.
    local title, minutes = todo.draft:match "^%s*(%S.-)%s+(%d%d?%d?)%s*$"
    title = title or todo.draft:match "^%s*(.-)%s*$"
    if shown[todo.show].title == "Done" then todo.show = 1 end
    tasks:add { title = title, minutes = tonumber(minutes or 30) }
    todo.draft = ""
  end,
}

local remove = object {
  canExecute = computed(function() return tasks.canRemove end),
  execute = function() tasks:remove() end,
}

local function countDone()
  local count = 0
  for _, task in ipairs(todo.tasks) do
    if task.done then count = count + 1 end
  end
  return count
end

-- What cannot be taken back is asked about first.
local clear = object {
  canExecute = computed(function() return countDone() > 0 end),
  execute = function() todo.clearing = true end,
}

local function clearNow()
  for index = #todo.tasks, 1, -1 do
    if todo.tasks[index].done then todo.tasks:remove(index) end
  end
  todo.clearing = false
end

-- What a key does with a command: nothing, while it cannot be executed.
local function run(command)
  return function() if command.canExecute then command:execute() end end
end

local function turn()
  local task = tasks.selectedObjects[1]
  if task then task.done = not task.done end
end

-- Views -------------------------------------------------------------------------------------------

local function title()
  return view.label { bindTo = {
    text = "dataObject.title", style = "dataObject.done | choose(muted, '')",
  } }
end

local function mark()
  -- A click turns it over; the keyboard stays with the table.
  return view.checkbox { label = "Done", focusable = false, bindTo = { isOn = "<> dataObject.done" } }
end

local columns = {
  { title = "", key = "done", width = 3, cell = mark, sort = false },
  { title = "Task", path = "title", cell = title, minWidth = 12 },
  { title = "Time", key = "minutes", path = "minutes | hours", width = 8, align = "end" },
}

local function showing(which)
  return view.button { title = shown[which].title,
    selected = function() return todo.show == which end,
    on = { touchUpInside = function() todo.show = which end },
  }
end

-- Whatever is selected; everything is off while nothing is.
local details = view.column { width = 28, grow = 1, minWidth = 16, maxWidth = 60, spacing = 1,
  bindTo = { enabled = "tasks.canRemove" },
  view.field { id = "title", label = "Title", bold = true, bindTo = { text = "<> tasks.selection.title" } },
  view.row { spacing = 1,
    view.label { style = "muted", text = "Minutes" },
    view.stepper { id = "minutes", label = "Minutes", minimum = 5, maximum = 600, step = 5,
      bindTo = { value = "<> tasks.selection.minutes" } },
  },
  view.textArea { id = "notes", grow = 1, placeholder = "notes",
    bindTo = { text = "<> tasks.selection.notes" } },
  view.button { id = "remove", title = "Remove", on = { touchUpInside = remove } },
}

local question = view.dialog { id = "question", title = "Clear", modal = true,
  padding = { 1, 2 }, spacing = 1,
  hidden = function() return not todo.clearing end,
  on = { close = function() todo.clearing = false end },
  view.label { wrap = true, text = function()
    local count = countDone()
    return count == 1 and "Remove the task that is done?"
      or ("Remove the %d tasks that are done?"):format(count)
  end },
  view.row { spacing = 1,
    view.spacer {},
    view.button { title = "Keep", on = { touchUpInside = function() todo.clearing = false end } },
    view.button { title = "Remove", on = { touchUpInside = clearNow } },
  },
}

show(view.window { title = "To do", view.column { grow = 1, padding = { 0, 1 }, spacing = 1,
  keys = {
    F2 = { title = "New", run = function() views.draft:focus() end },
    F3 = { title = "All", run = function() todo.show = 1 end },
    F4 = { title = "Open", run = function() todo.show = 2 end },
    F5 = { title = "Done", run = function() todo.show = 3 end },
    F8 = run(clear),
  },
  view.row { spacing = 2,
    view.label { bold = true, text = "To do" },
    view.label { id = "count", style = "muted", bindTo = {
      text = "todo.tasks.@count | plural(task, tasks)",
    } },
    view.spacer {},
    view.label { id = "left", style = "muted", bindTo = {
      text = "todo.tasks.@sum.left | hours | suffix(' left')",
    } },
  },
  view.row { spacing = 1,
    view.field { id = "draft", grow = 1, placeholder = "what is to be done, and its minutes",
      bindTo = { text = "<> todo.draft" }, on = { editingDidEndOnExit = run(add) } },
    view.button { id = "add", title = "Add", on = { touchUpInside = add } },
  },
  view.row { grow = 1, spacing = 3,
    view.table { id = "tasks", label = "Tasks", columns = columns,
      width = 46, grow = 2, minWidth = 18, maxWidth = 90,
      keys = {
        Space = { title = "Done", run = turn }, Delete = { title = "Remove", run = run(remove) },
      },
      bindTo = { items = "tasks.arrangedObjects", selectedIndex = "<> tasks.selectionIndex" },
    },
    details,
  },
  view.row { spacing = 1,
    showing(1), showing(2), showing(3),
    view.spacer {},
    view.progress { label = "Done", width = 20, grow = 1, maxWidth = 20, textColor = "cyan", bindTo = {
      value = "todo.tasks.@avg.done",
    } },
    view.label { id = "done", style = "muted", bindTo = {
      text = "todo.tasks.@sum.done | suffix(' done')",
    } },
    view.button { id = "clear", title = "Clear", on = { touchUpInside = clear } },
  },
  view.keyBar { style = "muted" },
  question,
} })

views.tasks:focus()
