-- The selection of many rows, how rows look, and views that follow their bounds.

local function joined_list(values)
  local parts = {}
  for i, value in ipairs(values) do parts[i] = tostring(value) end
  return table.concat(parts, " ")
end

case("Selection 1 keys and properties agree, and follow the rows", function()
  local tasks = list { "shop", "cook", "eat", "rest" }
  local shown = view.list { items = tasks, selectionMode = "many", selectedIndexes = { 2, 4 } }
  show(shown)
  same(joined_list(shown.selectedObjects), "cook rest")
  tasks:insert(1, "wake")
  same(joined_list(shown.selectedIndexes), "3 5")
  same(shown.selectedIndex, 3)
  shown:focus()
  keys "Home Shift-Down Ctrl-Down Ctrl-Down Space"
  same(joined_list(shown.selectedObjects), "wake shop eat")
  keys "Ctrl-A"
  same(#shown.selectedIndexes, 5)
  shown.selectedObjects = { "rest" }
  same(joined_list(shown.selectedIndexes), "5")
  shown.selectedIndexes = nil
  same(#shown.selectedIndexes, 0)
  same(shown.selectedObject, nil)
  same(#errors(), 0)
end)

case("Selection 2 a model's list and the view are bound both ways", function()
  local marking = model "marking" { marked = list { 1, 3 } }
  local shown = view.list { items = list { "a", "b", "c" }, selectionMode = "many",
    bindTo = { selectedIndexes = "<> marking.marked" } }
  show(shown)
  same(joined_list(shown.selectedObjects), "a c")
  marking.marked:append(2)
  same(joined_list(shown.selectedObjects), "a b c")
  shown:focus()
  keys "End"
  same(joined_list(marking.marked), "3")
  marking.marked = { 1 }
  same(joined_list(shown.selectedObjects), "a")
end)

case("Selection 3 a controller and the view agree", function()
  local people = controller.list { content = list { "Ada", "Eve", "Bob" } }
  local bound = view.list { items = people.arrangedObjects, selectionMode = "many" }
  bind("selectionIndexes <> selectedIndexes", people, bound)
  show(view.column { bound })
  people.selectionIndexes = { 1, 3 }
  same(joined_list(bound.selectedObjects), "Ada Bob")
  bound:focus()
  keys "Ctrl-A"
  same(joined_list(people.selectionIndexes), "1 2 3")
end)

case("Selection 4 wrong values are told of", function()
  fails("list.selectedIndexes is a list of row numbers, from 1; number 2", function()
    view.list { selectedIndexes = { 1, "x" } }
  end)
  fails("one of none, one, many", function() view.list { selectionMode = "two" } end)
  fails("set selectedIndexes to another list", function()
    local shown = view.list { items = list { "a" }, selectedIndex = 1 }
    shown.selectedIndexes:append(2)
  end)
  fails("list.rowStyle is a function", function() view.list { rowStyle = "error" } end)
end)

case("Row style 1 follows what it reads", function()
  local theme = model "theme" { low = 2 }
  local calls = 0
  local shown = view.list { items = list { 1, 2, 3 }, rowStyle = function(number, index)
    calls = calls + 1
    same(number, index)
    return number <= theme.low and { textColor = "red", bold = true } or nil
  end }
  show(shown)
  shown:snapshot()
  same(calls, 3)
  theme.low = 1
  shown:snapshot()
  same(calls, 6)
  same(#errors(), 0)
end)

case("Row style 2 what is wrong in it is listed, with its place", function()
  local shown = view.list { items = list { 1 }, rowStyle = function() return { ["col" .. "our"] = "red" } end }
  show(shown)
  shown:snapshot()
  local found = errors()
  same(#found, 1)
  assert(tostring(found[1]):find 'rowStyle gives a table with "colour"')
end)

case("Bounds 1 a layout adapts", function()
  local details = view.label { text = "details" }
  local main = view.column { id = "main", details, view.label { text = "rest" } }
  show(main)
  bind(details, "hidden", function() return views.main.bounds.width < 200 end)
  same(main:snapshot(), "rest")
  fails("bounds is read only", function() main.bounds = nil end)
  fails('did you mean "width"', function() return main.bounds.widht end)
end)

case("Sizes 1 wrong ones are told of", function()
  fails('label.width is a number of cells or a part of the superview\'s such as "50%"', function()
    view.label { width = "half" }
  end)
  fails("label.height is", function() view.label { height = {} } end)
end)

case("Menus 1 a context menu takes what a menu's items take", function()
  local heard
  local label = view.label { id = "label", text = "x", contextMenu = {
    { title = "Copy", key = "F5", command = function(menu) heard = menu.id end }, "-",
  } }
  show(view.column { keys = {}, label, view.field { contextMenu = function()
    return { { title = "Now", key = "F6", command = function() heard = "now" end } }
  end } })
  keys "Tab F6"
  same(heard, "now")
  fails("label.contextMenu: an item of a menu has no property", function()
    label.contextMenu = { { titel = "x" } }
  end)
  fails("number 1 is integer (3)", function() label.contextMenu = list { 3 } end)
end)

case("a script's write to a bound selection is a write to the controller, and the binding goes on", function()
  for _, kind in ipairs { "list", "table", "collection" } do
    for _, bound in ipairs { "selectedIndex", "selectedIndexes", "selectedObject", "selectedObjects" } do
      for _, arrow in ipairs { "<> ", "" } do
        local name = "chosen" .. kind .. bound .. #arrow
        local people = controller.list { name = name, content = list { "a", "b", "c", "d" } }
        local property = bound:gsub("selectedIndex", "selectionIndex")
        local shown = view[kind] { selectionMode = "many",
          bindTo = { items = name .. ".arrangedObjects", [bound] = arrow .. name .. "." .. property } }
        show(shown)
        local function both(expected)
          same(joined_list(people.selectionIndexes), expected)
          same(joined_list(shown.selectedIndexes), expected)
        end
        shown.selectedIndexes = { 2, 3 }
        both "2 3"
        people.selectionIndexes = { 1, 4 }
        both "1 4"
        shown.selectedIndex = 3
        both "3"
        people.selectionIndex = 2
        both "2"
        shown.selectedObjects = { "a", "d" }
        both "1 4"
        people.selectionIndexes = { 2, 3 }
        both "2 3"
        shown.selectedObject = "d"
        both "4"
        people.selectionIndexes = { 1, 2 }
        both "1 2"
        same(#errors(), 0)
      end
    end
  end
end)

case("keys select many rows in a controller by whichever property it is bound", function()
  for _, bound in ipairs { "selectedIndex", "selectedObject", "selectedIndexes" } do
    local name = "keyed" .. bound
    local people = controller.list { name = name, content = list { "a", "b", "c", "d" } }
    local property = bound:gsub("selectedIndex", "selectionIndex")
    local shown = view.list { selectionMode = "many",
      bindTo = { items = name .. ".arrangedObjects", [bound] = "<> " .. name .. "." .. property } }
    show(shown)
    shown:focus()
    keys "Home Shift-Down Shift-Down"
    same(joined_list(shown.selectedIndexes), "1 2 3")
    same(joined_list(people.selectionIndexes), "1 2 3")
    people.content:insert(1, "z")
    same(joined_list(shown.selectedIndexes), "2 3 4")
    keys "Down"
    same(joined_list(people.selectionIndexes), "5")
    -- A view that selects one row writes all that is selected where that is bound.
    if bound ~= "selectedIndexes" then
      shown.selectionMode = "one"
      people.selectionIndexes = { 2, 3 }
      shown.selectionMode = "many"
      same(joined_list(shown.selectedIndexes), "2 3")
      same(joined_list(people.selectionIndexes), "2 3")
    end
    people.content:clear()
    people.content:append("x")
    same(joined_list(shown.selectedIndexes), "1")
  end
end)

case("a tree, a picker and a radio group go on with their controller after a script's write", function()
  local people = controller.list { name = "chosenone", content = list { "a", "b", "c", "d" } }
  for _, kind in ipairs { "picker", "radio", "list" } do
    for _, bound in ipairs { "selectedIndex", "selectedObject" } do
      people.selectionIndex = 1
      local property = bound:gsub("selectedIndex", "selectionIndex")
      local shown = view[kind] { bindTo = { items = "chosenone.arrangedObjects", [bound] = "chosenone." .. property } }
      show(shown)
      shown.selectedIndex = 3
      same(people.selectionIndex, 3)
      people.selectionIndex = 2
      same(shown.selectedIndex, 2)
      shown.selectedObject = "d"
      same(people.selectionIndex, 4)
      people.selectionIndex = 1
      same(shown.selectedObject, "a")
    end
  end
  local function node(name) return { name = name, children = {} } end
  local tree = controller.tree { content = list { node "a", node "b", node "c", node "d" } }
  local shown = view.tree { items = tree.arrangedObjects, selectionMode = "many" }
  show(shown)
  shown.selectedIndexes = { 2, 3 }
  same(#tree.selectedObjects, 2)
  tree.selectionIndexPath = { 4 }
  same(joined_list(shown.selectedIndexes), "4")
  same(joined(shown.selectedObjects, "name"), "d")
end)

case("a refill writes no list of a selection to the model", function()
  for _, kind in ipairs { "list", "table", "collection", "tree" } do
    for _, property in ipairs { "selectedObjects", "selectedIndexes" } do
      for _, mode in ipairs { "many", "one" } do
        for _, act in ipairs { "clear", "none", "others", "empty", "nil" } do
          local rows = list { object { id = 1, name = "a" }, object { id = 2, name = "b" } }
          local second = rows[2]
          local wanted = property == "selectedObjects" and second or 2
          local m = object { chosen = list { wanted } }
          local shown = view[kind] { key = "id", items = rows, selectionMode = mode,
            columns = kind == "table" and { "name" } or nil }
          bind("chosen <> " .. property, m, shown)
          show(shown)
          same(shown.selectedIndex, 2)
          if act == "clear" then rows:clear()
          elseif act == "none" then rows:set {}
          elseif act == "others" then rows:set { object { id = 5, name = "z" } }
          elseif act == "empty" then shown.items = list {}
          else shown.items = nil end
          same(#m.chosen, 1)
          same(m.chosen[1], wanted)
          same(shown.selectedIndex, nil)
          rows:set { object { id = 1, name = "a" }, second }
          shown.items = rows
          same(shown.selectedIndex, 2)
          same(m.chosen[1], wanted)
          shown.items = list { object { id = 2, name = "again" } }
          if property == "selectedObjects" then same(shown.selectedIndex, 1) end
          same(m.chosen[1], wanted)
          shown.items = rows
          rows:append(object { id = 3, name = "c" })
          rows:remove(2)
          same(#m.chosen, 0)
        end
      end
    end
  end
end)

case("tabs that a script selects are selected in the controller that they are bound to", function()
  local pages = controller.list { name = "pages", content = list { "a", "b", "c" } }
  local tabs = view.tabs { titles = { "a", "b", "c" }, bindTo = { selected = "pages.selectionIndex" },
    view.label {}, view.label {}, view.label {} }
  show(tabs)
  tabs.selected = 2
  same(pages.selectionIndex, 2)
  pages.selectionIndex = 3
  same(tabs.selected, 3)
  tabs.selected = 1
  same(pages.selectionIndex, 1)
  same(#errors(), 0)
end)

case("a refill that brings the chosen row as another object leaves the model's", function()
  local acts = {
    set = function(rows, new) rows:set(new()) end,
    items = function(_, new, shown) shown.items = list(new()) end,
    batch = function(rows, new) batch(function() rows:clear() rows:append(table.unpack(new())) end) end,
    steps = function(rows, new) rows:clear() rows:append(table.unpack(new())) end,
    replace = function(rows, new) rows:replace(2, new()[2]) end,
  }
  for _, kind in ipairs { "list", "table", "collection", "tree", "picker", "radio" } do
    for _, property in ipairs { "selectedObject", "selectedObjects" } do
      for _, mode in ipairs { "one", "many" } do
        local isRows = kind ~= "picker" and kind ~= "radio"
        for act, refill in pairs(isRows and acts or property == "selectedObject" and acts or {}) do
          for _, key in ipairs { "id", "none" } do
            local function new()
              return { object { id = 1, name = "a" }, object { id = 2, name = "b" } }
            end
            local rows = list(new())
            local second = rows[2]
            local m = object { one = second, many = list { second } }
            local shown = view[kind] { key = key == "id" and key or nil, items = rows,
              selectionMode = isRows and mode or nil, columns = kind == "table" and { "name" } or nil }
            bind((property == "selectedObject" and "one" or "many") .. " <> " .. property, m, shown)
            show(shown)
            same(shown.selectedIndex, 2)
            refill(rows, new, shown)
            local name = table.concat({ kind, property, mode, act, key }, " ")
            same(m.one == second and #m.many == 1 and m.many[1] == second and name, name)
            -- Without a key, another object is another choice, which the model does not have.
            same(name .. tostring(shown.selectedIndex), name .. (key == "id" and "2" or "nil"))
          end
        end
      end
    end
  end
end)
