-- Views that are removed and still held by a script, and ids that several views have.

case("a removed view still works: its properties, bindings and picture", function()
  local m = model "m" { text = "hello" }
  local label = view.label { bindTo = { text = "m.text" } }
  local field = view.field { bindTo = { text = "<> m.text" } }
  local box = view.box { view.label { text = "inside" } }
  local row = view.row { label, field, box }
  local root = view.column { row }
  show(root)
  same(box:snapshot():find("inside", 1, true) ~= nil, true)
  row:remove()
  m.text = "new"
  same(label.text .. field.text, "newnew")
  same(label:snapshot(), "new")
  field.text = "typed"
  same(m.text, "typed")
  same(box:snapshot():find("inside", 1, true) ~= nil, true)
  same(row:snapshot():find("inside", 1, true) ~= nil, true)
  same(row.superview, nil)
  same(label.window, nil)
  -- It does not have the focus, and gets it where it is shown again.
  same(field:focus(), false)
  same(field.focused, false)
  root:add(row)
  same(box:snapshot():find("inside", 1, true) ~= nil, true)
  same(field.focused, true)
end)

case("a view that has not been shown draws itself, also within another", function()
  local label = view.label { text = "inside" }
  local row = view.row { hidden = true, label }
  same(label:snapshot(), "inside")
  same(row.hidden, true)
end)

local function duplicates()
  local found = {}
  for _, error in ipairs(errors()) do found[#found + 1] = error.message:match('the id "(.-)"') end
  return table.concat(found, " ")
end

case("an id that several shown views have is listed, however they come by it", function()
  view.component("card", { view = function() return view.box { view.label { id = "inner" } } end })
  local m = model "m" { n = 0 }
  local one, two = view.label { id = "one" }, view.label { id = "two" }
  local root = view.column { one, two, function()
    local made = {}
    for i = 1, m.n do made[i] = view.label { key = i, id = "made" } end
    return made
  end }
  show(root)
  finish()
  same(duplicates(), "")
  -- A later id.
  two.id = "one"
  draw()
  same(duplicates(), "one")
  two.id = "two"
  draw()
  same(duplicates(), "")
  -- A subtree.
  local row = view.row { view.column { view.label { id = "two" } } }
  root:add(row)
  same(duplicates(), "two")
  row:remove()
  same(duplicates(), "")
  -- Components.
  local cards = view.row { view.card {}, view.card {} }
  root:add(cards)
  same(duplicates(), "inner")
  cards.subviews[1]:remove()
  same(duplicates(), "")
  -- A function of children.
  m.n = 2
  same(duplicates(), "made")
  m.n = 1
  same(duplicates(), "")
end)

case("the cells of a list may have one id", function()
  show(view.column { view.list { items = { "a", "b", "c" }, height = 3,
    cell = function() return view.cell { view.label { id = "cell" } } end } })
  finish()
  draw()
  same(duplicates(), "")
end)

case("a lookup follows ids that are given later", function()
  local one, two = view.label { id = "one", text = "1" }, view.label { id = "two", text = "2" }
  local label = view.label { text = function() return views.two.text end }
  show(view.column { one, two, label })
  same(label.text, "2")
  one.id = "two"
  draw()
  same(label.text, "1")
end)

case("a model that a property of the view hides is told where the property leads nowhere", function()
  model "dataObject" { name = "model" }
  -- `check` takes all cases for one app, in which others use the property.
  model(("win%s"):format "dow") { title = "model" }
  model "selectedObject" { name = "model" }
  local label = view.label { bindTo = { text = "dataObject.name" } }
  local rows = view.list { items = { { name = "row" } }, bindTo = { tooltip = "selectedObject.name" } }
  local root = view.column { label, rows }
  same(#errors(), 0)
  show(root)
  same(#errors(), 2)
  for _, error in ipairs(errors()) do
    same(error.message:find("also the name of a model; in bindTo it is the view's own property, which is nil",
      1, true) ~= nil, true)
  end
  -- The property is meant where it leads somewhere.
  root.dataObject = object { name = "own" }
  rows.selectedIndex = 1
  same(label.text .. rows.tooltip, "ownrow")
  same(#errors(), 0)
  local titled = view.label { bindTo = { text = "window.title" } }
  root:add(titled)
  same(#errors(), 1)
  same(errors()[1].message:find('"window" is a property of label and also the name of a model', 1, true), 1)
end)
