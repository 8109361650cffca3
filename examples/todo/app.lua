-- A list of things to do: a controller filters and selects, the figures follow from paths over the
-- whole list, and commands know when they can be used. Save this file while it runs, and see.

local Task = class "Task" {
  title = "", minutes = 30, done = false,
  left = computed(function(self) return self.done and 0 or self.minutes end),
}

-- A model, so that it is kept when this file is saved.
local todo = model "todo" {
  tasks = list {
    Task { title = "Water the plants", minutes = 10, done = true },
    Task { title = "Answer Ada's letter", minutes = 45 },
    Task { title = "Buy lamp oil for the lighthouse", minutes = 25 },
    Task { title = "Wind the clock", minutes = 5, done = true },
    Task { title = "Read the tide table", minutes = 15 },
    Task { title = "Paint the boat", minutes = 180 },
  },
  show = "all", draft = "",
}

local shown = {
  all = function() return true end,
  open = function(task) return not task.done end,
  done = function(task) return task.done end,
}

local tasks = controller.list { name = "tasks", objectClass = Task, content = "todo.tasks",
  -- The filter stays when a task is added; `add` sees to it that the new one is in sight.
  clearsFilterOnInsertion = false,
  filter = function(task) return shown[todo.show](task) end,
}

transformer("hours", function(minutes)
  if minutes < 60 then return minutes .. " min" end
  return ("%d h %02d"):format(minutes // 60, minutes % 60)
end)

-- Commands ----------------------------------------------------------------------------------------

-- A command's `canExecute` decides whether the buttons that have it are enabled.
local add = object {
  canExecute = computed(function() return todo.draft:find "%S" ~= nil end),
  execute = function()
    -- "Feed the cat 5" takes 5 minutes.
    local title, minutes = todo.draft:match "^%s*(%S.-)%s+(%d%d?%d?)%s*$"
    title = title or todo.draft:match "^%s*(.-)%s*$"
    if todo.show == "done" then todo.show = "all" end
    tasks:add { title = title, minutes = tonumber(minutes or 30) }
    todo.draft = ""
  end,
}

local remove = object {
  canExecute = computed(function() return tasks.canRemove end),
  execute = function() tasks:remove() end,
}

local clear = object {
  canExecute = computed(function()
    for _, task in ipairs(todo.tasks) do
      if task.done then return true end
    end
    return false
  end),
  execute = function()
    for place = #todo.tasks, 1, -1 do
      if todo.tasks[place].done then todo.tasks:remove(place) end
    end
  end,
}

-- What a key does with a command: nothing, while it cannot be executed.
local function run(command)
  return function() if command.canExecute then command:execute() end end
end

local function turn()
  local task = tasks.selectedObjects[1]
  if task then task.done = not task.done end
end

-- Views -------------------------------------------------------------------------------------------

local function row()
  return view.cell {
    -- A click turns it over; the keyboard stays with the list.
    view.checkbox { focusable = false, bindTo = {
      isOn = "<> dataObject.done", textColor = "dataObject.done | choose(green, yellow)",
    } },
    view.label { grow = 1, bindTo = {
      text = "dataObject.title", style = "dataObject.done | choose(muted, '')",
    } },
    view.label { width = 8, align = "end", style = "muted", bindTo = {
      text = "dataObject.minutes | hours",
    } },
  }
end

local function showing(which, title)
  return view.button { title = title, on = { touchUpInside = function() todo.show = which end },
    selected = function() return todo.show == which end,
    textColor = function() return todo.show == which and "yellow" or nil end,
  }
end

local window = view.column { grow = 1,
  keys = {
    F2 = function() views.draft:focus() end, F8 = run(clear),
    F3 = function() todo.show = "all" end,
    F4 = function() todo.show = "open" end,
    F5 = function() todo.show = "done" end,
  },
  view.row { backgroundColor = "green", textColor = "black", spacing = 2, padding = { 0, 1 },
    view.label { bold = true, text = "To do" },
    view.spacer {},
    view.label { id = "count", bindTo = { text = "todo.tasks.@count | plural(task, tasks)" } },
  },
  view.box { grow = 1, padding = { 0, 1 }, bindTo = {
      title = "todo.show | capitalized | suffix(' tasks')",
    },
    view.row { spacing = 1,
      view.field { id = "draft", grow = 1, placeholder = "what is to be done, and its minutes",
        bindTo = { text = "<> todo.draft" }, on = { editingDidEndOnExit = run(add) } },
      view.button { id = "add", title = "Add", on = { touchUpInside = add } },
    },
    view.divider {},
    view.list { id = "tasks", cell = row, rowHeight = 1, height = 4, grow = 1,
      keys = { Space = turn, Delete = run(remove) },
      bindTo = {
        items = "tasks.arrangedObjects", selectedIndex = "<> tasks.selectionIndex",
      },
    },
  },
  view.row { spacing = 1, padding = { 0, 1 },
    view.progress { width = 30, textColor = "green", bindTo = { value = "todo.tasks.@avg.done" } },
    view.label { id = "done", style = "success", bindTo = {
      text = "todo.tasks.@sum.done | suffix(' done')",
    } },
    view.spacer {},
    view.label { id = "left", style = "warning", bindTo = {
      text = "todo.tasks.@sum.left | hours | suffix(' left')",
    } },
  },
  view.row { spacing = 1, padding = { 0, 1 },
    showing("all", "All"), showing("open", "Open"), showing("done", "Done"),
    view.spacer {},
    view.button { id = "remove", title = "Remove", on = { touchUpInside = remove } },
    view.button { id = "clear", title = "Clear done", on = { touchUpInside = clear } },
  },
  view.label { style = "muted", margin = { 0, 1 },
    text = "F2 new  Space done or not  Delete removes  F3 all F4 open F5 done  F8 clears" },
}

show(window)
views.tasks:focus()
