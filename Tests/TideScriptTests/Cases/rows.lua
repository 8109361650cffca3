-- Lists, tables, trees and collections, as scripts make and use them.

local Fruit = class "Fruit" { name = "", price = 0, ripe = false }

local function stock()
  return list {
    Fruit { name = "fig", price = 3 }, Fruit { name = "apple", price = 12.5, ripe = true },
    Fruit { name = "pear", price = 1 },
  }
end

local function names() return view.cell { view.label { bindTo = { text = "dataObject.name" } } } end

-- What a view shows, without spaces at the ends of lines.
local function picture(shown, width, height)
  return (shown:snapshot(width, height):gsub(" *\n", "\n"))
end

-- The first lines of it.
local function top(count, shown, width, height)
  local lines = {}
  for line in picture(shown, width, height):gmatch "[^\n]*" do
    if #lines < count then lines[#lines + 1] = line end
  end
  return table.concat(lines, "\n")
end

case("Rows 1 a list sends an event for each thing that is done to a row", function()
  local fruits, heard = stock(), {}
  local function note(_, event)
    heard[#heard + 1] = ("%s %s %s"):format(event.name, event.index, event.target or event.value.name)
  end
  local shown = view.list { items = fruits, cell = names,
    on = { didSelect = note, delete = note, move = note } }
  show(shown)
  shown:focus()
  keys "Down Down Enter Alt-Down Delete"
  same(table.concat(heard, ", "),
    "didSelect 1 fig, didSelect 2 apple, didSelect 2 apple, move 2 3, delete 2 apple")
  same(shown.selectedObject, fruits[2])
  same(#errors(), 0)
end)

case("Rows 2 handlers move and delete, and the selection stays with its row", function()
  local fruits = stock()
  local shown = view.list { items = fruits, cell = names, on = {
    move = function(_, event) fruits:move(event.index, event.target) end,
    delete = function(_, event) fruits:removeObject(event.value) end,
  } }
  show(shown)
  shown:focus()
  keys "Down Alt-Down Alt-Down"
  same(fruits[3].name, "fig")
  same(shown.selectedIndex, 3)
  keys "Delete"
  same(#fruits, 2)
  same(shown.selectedObject.name, "pear")
end)

case("Rows 3 letters find a row, and begin anew after a pause", function()
  local shown = view.list { items = { "alpha", "beta", "bravo", "alto" } }
  show(shown)
  shown:focus()
  keys "b r"
  same(shown.selectedIndex, 3)
  advance(2)
  keys "a"
  same(shown.selectedIndex, 4)
end)

case("Rows 4 a table is sorted by its headings, by paths and by functions", function()
  local fruits = stock()
  local shown = view.table { items = fruits, columns = {
    { title = "Fruit", path = "name | uppercase", sort = function(fruit) return #fruit.name end },
    { path = "price | format('%.2f')", width = 8 },
    { title = "Ripe", width = 6, sort = false, cell = function(fruit)
      return view.checkbox { bindTo = { isOn = "<> dataObject.ripe" } }
    end },
  } }
  show(shown)
  same(picture(shown, 30, 4), [=[
Fruit         │   Price│Ripe
FIG                3.00 [ ]
APPLE             12.50 [x]
PEAR               1.00 [ ]]=])
  shown.sort = "-price"
  same(top(2, shown, 30, 4), "Fruit         │ Price ▼│Ripe\nAPPLE             12.50 [x]")
  shown.sort = "name"
  same(top(3, shown, 30, 4), "Fruit ▲       │   Price│Ripe\nFIG                3.00 [ ]\nPEAR               1.00 [ ]")
  fruits[1].name = "elderberry"
  same(top(2, shown, 30, 4), "Fruit ▲       │   Price│Ripe\nPEAR               1.00 [ ]")
  same(#errors(), 0)
end)

case("Rows 5 a table that shows a controller's rows sorts the controller", function()
  local c = controller.list { name = "fruits", content = stock() }
  local shown = view.table { columns = { "name", "price" },
    bindTo = { items = "fruits.arrangedObjects", selectedIndex = "<> fruits.selectionIndex" } }
  show(shown)
  shown:focus()
  keys "Right Space"
  same(c.sort, "name")
  same(c.arrangedObjects[1].name, "apple")
  same(c.selection.name, "fig")
  same(shown.selectedIndex, 2)
  keys "Down"
  same(c.selection.name, "pear")
  c.sort = "-price"
  same(shown.sort, "-price")
  same(#errors(), 0)
end)

case("Rows 6 mistakes in columns are told with the nearest name", function()
  fails("did you mean \"width\"", function()
    view.table { columns = { { title = "a", widht = 3 } } }
  end)
  fails("a column's width is a number", function()
    view.table { columns = { { title = "a", width = "wide" } } }
  end)
  fails("a column is a table such as", function() view.table { columns = { 5 } } end)
  fails("a column's cell is a function", function()
    view.table { columns = { { title = "a", cell = 5 } } }
  end)
  fails("a column's path cannot be a function", function()
    view.table { columns = { { title = "a", path = function() end } } }
  end)
  fails("start, center or end", function()
    view.table { columns = { { title = "a", align = "middle" } } }
  end)
  fails("cell is a function that gives a row's view", function() view.list { cell = 3 } end)
  fails("makes its subviews itself", function() view.list { view.label { text = "x" } } end)
  fails("children is the path", function() view.tree { children = 3 } end)
end)

case("Rows 7 columns may be live, and be given later", function()
  local chosen = model "chosen" { wide = false }
  local shown = view.table { items = stock(), columns = function()
    return { { path = "name", width = chosen.wide and 12 or 6 }, { path = "price", width = 8 } }
  end }
  show(shown)
  same(top(1, shown, 30, 4), "Name  │   Price")
  chosen.wide = true
  same(top(1, shown, 30, 4), "Name        │   Price")
  shown.columns = { { title = "N", path = "name", width = 4 } }
  same(top(1, shown, 30, 4), "N")
end)

case("Rows 8 a tree shows what is open, by a path or by a function", function()
  local src = { name = "src", files = { { name = "a" }, { name = "b" } } }
  local shown = view.tree { items = { src, { name = "readme" } }, childrenPath = "files",
    cell = names }
  show(shown)
  same(picture(shown, 12, 2), "▸ src\n  readme")
  shown:focus()
  keys "Down Right"
  same(picture(shown, 12, 4), "▾ src\n    a\n    b\n  readme")
  shown.items[1].files:append(object { name = "c" })
  same(picture(shown, 12, 5), "▾ src\n    a\n    b\n    c\n  readme")
  local opened
  local counted = view.tree { items = { 1, 2 }, on = {
    didExpand = function(_, event) opened = event.value end,
  }, children = function(n) return n < 10 and { n * 10, n * 10 + 1 } or nil end }
  show(counted)
  counted:focus()
  keys "Down Right"
  same(picture(counted, 12, 4), "▾ 1\n    10\n    11\n▸ 2")
  same(opened, 1)
  same(#errors(), 0)
end)

case("Rows 9 a tree over a tree controller selects in it", function()
  local Folder = class "Folder" { name = "", children = {} }
  local c = controller.tree { name = "folders",
    content = list { Folder { name = "a", children = { Folder { name = "b" } } }, Folder { name = "c" } } }
  local shown = view.tree { cell = names, bindTo = { items = "folders.arrangedObjects" } }
  show(shown)
  shown:focus()
  keys "Home Right Right"
  same(c.selection.name, "b")
  same(shown.selectedObject.name, "b")
  c:setSelectionIndexPath { 2 }
  same(shown.selectedIndex, 3)
  c:removeAt { 1 }
  same(shown.selectedIndex, 1)
  same(#errors(), 0)
end)

case("Rows 10 a collection is a grid", function()
  local shown = view.collection { items = { "a", "b", "c", "d", "e" }, itemWidth = 3 }
  show(shown)
  same(picture(shown, 12, 2), "a   b   c\nd   e")
  shown:focus()
  keys "Home Right Down"
  same(shown.selectedIndex, 5)
end)

case("Rows 11 cells are given to other rows, and their bindings follow", function()
  local rows, made = {}, 0
  for i = 1, 1000 do rows[i] = { name = "row " .. i } end
  local shown = view.list { items = rows, rowHeight = 1, cell = function()
    made = made + 1
    return names()
  end }
  show(shown)
  shown:focus()
  picture(shown)
  keys "End"
  assert(picture(shown):find("row 1000", 1, true))
  keys "Home"
  assert(picture(shown):find("row 24", 1, true))
  assert(made < 60, made)
end)

case("rows as high as their content wrap, grow with it and keep their place", function()
  local notes = list { "one two three", "four", "five six seven", "eight" }
  local shown = view.list { items = notes, rowHeight = "auto" }
  show(shown)
  -- Without the scroll bar.
  local function seen() return (picture(shown, 9, 4):gsub(" *[^%w%s]+", "")) end
  same(seen(), "one two\nthree\nfour\nfive six")
  shown:focus()
  keys "End"
  same(seen(), "four\nfive six\nseven\neight")
  notes:insert(1, "a new one above all")
  same(seen(), "four\nfive six\nseven\neight")
  assert(not pcall(function() shown.rowHeight = "1" end))
end)

case("a row that no function shows goes by its object's title, also when it changes", function()
  local people = list { object { name = "Ada" }, "plain", object { age = 5, title = "T" } }
  local l = view.list { items = people, width = 20, height = 5 }
  same(l:snapshot(20, 3), "Ada\nplain\nT")
  local shown = view.column { l }
  show(shown)
  keys "Tab"
  people[1].name = "Grace"
  same(shown:snapshot(20, 3), "Grace\nplain\nT")
end)

case("a column that leads nowhere is told with its place, however it is written", function()
  local function short() return view.table { items = stock(), columns = { "col" .. "our" } } end
  local function long() return view.table { items = stock(), columns = { { path = "col" .. "our" } } } end
  for _, made in ipairs { short, long } do
    local before = #errors()
    made():snapshot(20, 2)
    same(#errors(), before + 1)
    local told = errors()[#errors()]
    same(told.message:find("has no property \"colour\"", 1, true) ~= nil, true)
    same(told.location:find("rows.lua:", 1, true) ~= nil, true)
  end
end)
