-- The sample of TJBinder's manual: a label that shows the name of a fruit in the fruit's colour.

case("TJBinder's fruit label: text and colour from the superview's data object", function()
  local fruit = object { name = "apple", color = "red" }
  local label = view.label { bindTo = {
    text = "@superview.dataObject.name", textColor = "@superview.dataObject.color" } }
  local root = view.column { label }
  -- The controller tells the root view its data object, after the label is there.
  root.dataObject = fruit
  same(label.text, "apple")
  same(label.textColor, "red")
  fruit.name = "banana"
  fruit.color = "yellow"
  same(label.text, "banana")
  same(label.textColor, "yellow")
end)

case("TJBinder's cells: a row's labels follow the data object of their cell", function()
  local function row(fruit)
    return view.cell { dataObject = fruit, view.row {
      view.label { id = "name", bindTo = { text = "@cell.dataObject.name" } },
      view.label { id = "same", bindTo = {
        text = "@superviewWithClass[UITableViewCell].dataObject.name" } } } }
  end
  local cell = row(object { name = "fig" })
  same(cell:find("name").text, "fig")
  same(cell:find("same").text, "fig")
  cell.dataObject = object { name = "pear" }
  same(cell:find("name").text, "pear")
  same(cell:find("same").text, "pear")
end)

case("TJBinder's details view: the selected object of one view is the data object of another", function()
  local fruits = object { selected = property {} }
  local title = view.label { bindTo = { text = { path = "dataObject.name", fallback = "none" } } }
  local details = view.column { bindTo = { dataObject = "@superview.dataObject.selected" }, title }
  local root = view.row { dataObject = fruits, details }
  same(title.text, "none")
  fruits.selected = object { name = "fig" }
  same(title.text, "fig")
  fruits.selected = object { name = "nut" }
  same(title.text, "nut")
  same(#root.subviews, 1)
end)

case("TJBinder's clock: what changes over time is shown", function()
  local clock = object { time = 0 }
  local label = view.label { dataObject = clock, bindTo = { text = "dataObject.time" } }
  every(1, function() clock.time = clock.time + 1 end)
  same(label.text, "0")
  advance(1)
  same(label.text, "1")
  advance(1)
  same(label.text, "2")
end)

case("TJBinder's limitation lifted: a colour that is none is told where it is bound", function()
  local fruit = object { color = "no colour" }
  local label = view.label { dataObject = fruit, bindTo = { textColor = "dataObject.color" } }
  same(#errors(), 1)
  assert(errors()[1].message:find("no colour", 1, true), errors()[1].message)
  fruit.color = "#ff0000"
  same(#errors(), 0)
  same(label.textColor, "#ff0000")
end)
