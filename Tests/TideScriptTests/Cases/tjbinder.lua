-- T: TJBinder.

local function row(name) return object { name = name } end

case("T1 setting dataObject pushes every binding below", function()
  local a = view.label { bindTo = { text = "@superview.dataObject.name" } }
  local b = view.label { bindTo = { text = "dataObject.name" } }
  local column = view.column { a, b }
  column.dataObject = row "x"
  same(a.text, "x")
  same(b.text, "x")
end)

case("T2 a leaf change arrives", function()
  local a = view.label { bindTo = { text = "dataObject.name" } }
  local data = row "x"
  local column = view.column { dataObject = data, a }
  data.name = "y"
  same(a.text, "y")
  same(column.dataObject.name, "y")
end)

case("T3 replacing the object lets the old one go", function()
  local a = view.label { bindTo = { text = "dataObject.name" } }
  local old = row "x"
  local column = view.column { dataObject = old, a }
  column.dataObject = row "y"
  same(a.text, "y")
  old.name = "z"
  same(a.text, "y")
end)

case("T4 view operators hit and miss", function()
  local label = view.label { id = "me" }
  local tagged = view.row { tag = 12, id = "tagged", label }
  local cell = view.cell { tagged }
  local top = view.column { id = "top", cell }
  local function read(path)
    local seen = view.label { bindTo = {} }
    local value = object { v = property {} }
    bind(path .. " -> v", label, value)
    return value.v
  end
  same(read "@superview.id", "tagged")
  same(read "superview.id", "tagged")
  same(read "@superviewWithTag[12].id", "tagged")
  same(read "@superviewWithTag[13].id", nil)
  same(read "@superviewWithRestorationID[top].id", "top")
  same(read "@superviewWithID[top].id", "top")
  same(read "@superviewWithClass[UITableViewCell].class", "cell")
  same(read "@cell.class", "cell")
  same(read "@rootview.id", "top")
  local down = object { v = property {} }
  bind("@subviews[0].class -> v", top, down)
  same(down.v, "cell")
  local by = object { v = property {} }
  bind("@subviewWithRestorationID[me].class -> v", tagged, by)
  same(by.v, "label")
  fails("@superviewWithTga", bind, "@superviewWithTga[1].id -> v", label, down)
end)

case("T6 a binding declared before any data object waits for it", function()
  local a = view.label { text = "-", bindTo = { text = "@superview.dataObject.name" } }
  local column = view.column { a }
  same(a.text, "-")
  column.dataObject = row "x"
  same(a.text, "x")
end)

case("T7 dataObject nil gives nil, never the stale value", function()
  local a = view.label { bindTo = { text = { path = "dataObject.name", fallback = "none" } } }
  local column = view.column { dataObject = row "x", a }
  same(a.text, "x")
  column.dataObject = nil
  same(a.text, "none")
end)

case("T8 the whole data object can be bound", function()
  local m = object { child = { name = "a" } }
  local label = view.label { bindTo = { text = "dataObject.name" } }
  local holder = view.row { bindTo = { dataObject = "@superview.dataObject.child" }, label }
  local column = view.column { dataObject = m, holder }
  same(label.text, "a")
  m.child = { name = "b" }
  same(label.text, "b")
  same(column.dataObject, m)
end)

case("T9 reparenting resolves again", function()
  local label = view.label { bindTo = { text = "@superview.dataObject.name" } }
  local one = view.column { dataObject = row "x", label }
  local two = view.column { dataObject = row "y" }
  same(label.text, "x")
  two:add(label)
  same(label.text, "y")
  same(#one.subviews, 0)
end)

case("T10 a field bound both ways before it has a data object takes the model's value", function()
  local field = view.field { bindTo = { text = "<> @superview.dataObject.name" } }
  local inner = view.row { field }
  local data = row "x"
  local column = view.column { dataObject = data, inner }
  same(field.text, "x")
  same(data.name, "x")
  field.text = "y"
  same(data.name, "y")
  column.dataObject = row "z"
  same(field.text, "z")
  same(data.name, "y")
end)

case("T5 a cell that is used again shows its new row", function()
  local rows, made = list {}, 0
  for i = 1, 50 do rows:append(row("row " .. i)) end
  local shown = view.list { items = rows, cell = function(object)
    made = made + 1
    return view.cell { view.label { bindTo = { text = "@cell.dataObject.name" } } }
  end }
  show(shown)
  local text = shown:snapshot(12, 3)
  assert(text:find("row 1", 1, true) and not text:find("row 9", 1, true), text)
  for _ = 1, 20 do press(shown, "Down") end
  text = shown:snapshot(12, 3)
  assert(text:find("row 20", 1, true) or text:find("row 21", 1, true), text)
  assert(made < 30, made)
  rows[20].name = "renamed"
  rows[21].name = "renamed"
  text = shown:snapshot(12, 3)
  assert(text:find("renamed", 1, true), text)
end)
