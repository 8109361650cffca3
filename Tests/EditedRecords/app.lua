-- The worlds of the law of edited records: rows, and views in which a person changes them. The first
-- argument says which.

local Row = class "Row" { id = 0, name = "", rank = 0, amount = 1, done = false, key = 0 }

-- A model, so that it is the same after a reload.
desk = model "desk" {
  rows = list {}, all = list {}, which = 0, current = property { nullable = true } }
rows, all = desk.rows, desk.all

-- A row, which is in no list of rows yet.
function make(id)
  local row = Row { id = id, name = ("n"):rep(id % 3 + 1), rank = id, key = id % 4 }
  all:append(row)
  return row
end

-- A reload selects nothing.
local isStart = #all == 0
if isStart then
  for id = 1, 7 do rows:append(make(id)) end
end
-- Takes nothing of that back.
history = undo.manager { desk, name = "history" }

local function passes(row)
  if desk.which == 1 then return utf8.len(row.name) % 2 == 0 end
  if desk.which == 2 then return not row.done end
  if desk.which == 3 then return row.rank % 2 == 1 end
  return true
end

orders = { "name", "-rank", function(row) return row.done and 1 or 0 end, "-name" }

local function details(at)
  return view.column {
    view.field { id = "name", bindTo = { text = "<> " .. at .. ".name" } },
    view.textArea { id = "area", height = 2, bindTo = { text = "<> " .. at .. ".name" } },
    view.numberField { id = "amount", bindTo = { value = "<> " .. at .. ".amount" } },
    view.stepper { id = "rank", maximum = 1000, bindTo = { value = "<> " .. at .. ".rank" } },
    view.toggle { id = "done", bindTo = { isOn = "<> " .. at .. ".done" } },
  }
end

local makers = {
  name = function() return view.field { width = 8, bindTo = { text = "<> dataObject.name" } } end,
  rank = function()
    return view.stepper { width = 9, maximum = 1000, bindTo = { value = "<> dataObject.rank" } }
  end,
  done = function() return view.checkbox { bindTo = { isOn = "<> dataObject.done" } } end,
  amount = function()
    return view.numberField { width = 8, bindTo = { value = "<> dataObject.amount" } }
  end,
}
local names = { "name", "rank", "done", "amount" }

local function cell()
  local parts = {}
  for _, name in ipairs(names) do parts[#parts + 1] = makers[name]() end
  return view.cell(parts)
end

local function columns()
  local made = { { title = "Id", path = "id", width = 4 } }
  for _, name in ipairs(names) do
    made[#made + 1] = { title = name, key = name, sort = name, width = 9, cell = makers[name] }
  end
  return made
end

-- The record that is shown beside the rows, and selecting one by its index.
local chosen = function() return nil end
select = function() end

local function controlled(options)
  options.name, options.content = "c", rows
  c = controller.list(options)
  chosen = function() return c.selectedObject end
  select = function(index) c.selectionIndex = index end
end

local function uncontrolled()
  chosen = function() return desk.current end
  select = function(index) views.l.selectedIndex = index end
end

local ofController = { items = "c.arrangedObjects", selectedIndex = "<> c.selectionIndex" }

local worlds = {
  selection = function()
    controlled { filter = passes, sort = orders[1] }
    return view.list { id = "l", height = 6, bindTo = ofController }, details "c.selection"
  end,
  cells = function()
    controlled { filter = passes, sort = orders[2] }
    return view.list { id = "l", height = 9, cell = cell, bindTo = ofController },
      details "c.selectedObject"
  end,
  derived = function()
    uncontrolled()
    local items = rows:filter(passes):sorted(function(row) return row.name end)
    return view.list { id = "l", height = 9, cell = cell, items = items,
      bindTo = { selectedObject = "<> desk.current" } }, details "desk.current"
  end,
  table = function()
    controlled { filter = passes }
    return view.table { id = "l", height = 10, columns = columns(), bindTo = ofController },
      details "c.selection"
  end,
  sorted = function()
    uncontrolled()
    return view.table { id = "l", height = 10, columns = columns(), sort = "name", items = rows,
      bindTo = { selectedObject = "<> desk.current" } }, details "desk.current"
  end,
  tree = function()
    c = controller.tree { name = "c", content = rows, childrenPath = "kids" }
    chosen = function() return c.selectedObjects[1] end
    select = function(index) c.selectionIndexPath = { index } end
    return view.tree { id = "l", height = 9, items = c, cell = cell }, details "c.selection"
  end,
  groups = function()
    local groups = rows:group(function(row) return row.key end)
    return view.list { id = "l", height = 20, items = groups, rowHeight = 4, cell = function()
      return view.cell {
        view.list { height = 4, cell = cell, bindTo = { items = "dataObject.items" } } }
    end }
  end,
  collection = function()
    controlled { filter = passes, sort = orders[4] }
    return view.collection { id = "l", height = 10, itemWidth = 20, rowHeight = 1,
      cell = function()
        return view.cell { makers.name(), makers.done() }
      end, bindTo = ofController }, details "c.selectedObject"
  end,
}

local root = { worlds[arg[1] or "selection"]() }
root.id = "root"
show(view.column(root))
if isStart and not c then select(1) end

-- The id of the record that is shown beside the rows; 0 for none.
function shown()
  local row = chosen()
  return row and row.id or 0
end

-- Whether a record is among the rows.
function isThere(id) return all[id] ~= nil and rows:indexOf(all[id]) ~= nil end

-- What all records hold, a line each.
function held()
  local lines = {}
  for _, row in ipairs(all) do
    lines[#lines + 1] = ("%d %d %d %s"):format(
      row.rank, row.done and 1 or 0, row.amount, row.name)
  end
  return table.concat(lines, "\n")
end
