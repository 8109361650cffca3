-- What every node has: its properties, its methods, its place in the tree.

local classes = {
  "window", "dialog", "view", "row", "column", "grid", "scroll", "box", "tabs", "split", "label",
  "field", "textArea", "button", "toggle", "checkbox", "slider", "stepper", "progress", "picker",
  "radio", "menu", "image", "chart", "list", "table", "tree", "collection", "cell", "divider",
  "spacer", "spinner",
}
local values = {
  id = "a", tag = 3, key = "k", hidden = true, enabled = false, error = "wrong", tooltip = "t",
  focusable = true, style = "title", width = 10, height = 3, minWidth = 1, maxWidth = 20, grow = 2,
  padding = 1, margin = 2, align = "center", textColor = "red", backgroundColor = "#fff",
  bold = true, italic = true, underline = true,
}

local function order(view)
  local parts = {}
  for i, subview in ipairs(view.subviews) do parts[i] = subview.id end
  return table.concat(parts, " ")
end

case("every property of every node is set, read, bound and made by a function", function()
  local some = model "some" (values)
  for _, class in ipairs(classes) do
    for name, value in pairs(values) do
      local set = view[class] {}
      set[name] = value
      local made = {
        set, view[class] { [name] = value }, view[class] { [name] = function() return some[name] end },
        view[class] { bindTo = { [name] = "some." .. name } },
      }
      for way, node in ipairs(made) do
        if node[name] ~= value then
          error(("%s.%s by way %d is %s"):format(class, name, way, tostring(node[name])))
        end
      end
    end
    same(view[class] {}.class, class)
  end
end)

case("a node has its data object from the nearest ancestor that has one, wherever it is moved", function()
  local a, b, c = object { name = "A" }, object { name = "B" }, object { name = "C" }
  local label = view.label { bindTo = { text = "dataObject.name" } }
  local left = view.column { dataObject = a, view.row { label } }
  local right = view.column { dataObject = b }
  same(label.text, "A")
  right:add(label)
  same(label.text, "B")
  same(label.dataObject, b)
  right.dataObject = c
  same(label.text, "C")
  label.dataObject = a
  same(label.text, "A")
  label.dataObject = nil
  same(label.text, "C")
  label:remove()
  same(label.dataObject, nil)
  same(label.text, "")
  same(#left.subviews[1].subviews, 0)
end)

case("the identifier goes by two names", function()
  local label = view.label { restorationIdentifier = "here" }
  same(label.id, "here")
  same(label.restorationIdentifier, "here")
  label.restorationIdentifier = "there"
  same(label.id, "there")
  local seen
  observe(label, "restorationIdentifier", function(new) seen = new end)
  label.id = "elsewhere"
  same(seen, "elsewhere")
  local inner = view.label { bindTo = { text = "@superview.restorationIdentifier" } }
  local column = view.column { id = "top", inner }
  same(inner.text, "top")
  column.restorationIdentifier = "bottom"
  same(inner.text, "bottom")
  fails("holds string", function() label.restorationIdentifier = 5 end)
end)

case("what the tree says of itself is read only", function()
  local label = view.label {}
  for _, name in ipairs { "class", "superview", "subviews", "window", "focused" } do
    fails("label." .. name .. " is read only", function() label[name] = 1 end)
    fails("label." .. name .. " is read only", function() view.label { [name] = 1 } end)
  end
  fails("subviews are added, moved and taken out by", function() view.column {}.subviews:append(view.label {}) end)
end)

case("a name that a node does not have is an error with the nearest", function()
  fails('label has no property "txet"; did you mean "text"?', function() view.label { txet = "x" } end)
  fails('did you mean "text"?', function() return view.label {}.txt end)
  fails('did you mean "text"?', function() view.label {}.txt = "x" end)
  fails('did you mean "text"?', function() view.label { bindTo = { txet = "@superview.id" } } end)
  fails('did you mean "label"?', function() view.lable {} end)
  fails('button has no event "touchUpInsde"; did you mean "touchUpInside"?', function()
    view.button { on = { touchUpInsde = function() end } }
  end)
  fails("nodes.lua:", function() view.label { txet = "x" } end)
end)

case("values of the wrong kind are errors that name the property", function()
  fails("label.text holds string, not integer (5)", function() view.label { text = 5 } end)
  fails("label.width is a number of cells or a part of the superview's", function() view.label { width = "3" } end)
  fails("label.tag holds integer or nil, not number (1.5)", function() view.label { tag = 1.5 } end)
  fails('label.align is one of start, center, end, stretch, not "middle"', function()
    view.label { align = "middle" }
  end)
  fails("label.padding is a number of cells", function() view.label { padding = -1 } end)
  fails("on maps names of events to functions", function() view.button { on = 5 } end)
  fails("bindTo maps names of properties to expressions", function() view.label { bindTo = 5 } end)
  fails("bindTo.text is an expression", function() view.label { bindTo = { text = 5 } } end)
  fails("are views or functions, not 5", function() view.column { 5 } end)
  fails("a label takes no subviews", function() view.label { view.label {} } end)
end)

case("sizes that make no sense do no harm", function()
  for _, size in ipairs { 0 / 0, -1, -1e308, 1e308, math.huge, -math.huge, math.maxinteger, math.mininteger } do
    for _, name in ipairs { "width", "height", "minWidth", "maxWidth", "grow", "spacing" } do
      local column = view.column { [name] = size, view.label { text = "hi", [name == "spacing" and "grow" or name] = size } }
      column:snapshot(20, 5)
    end
  end
end)

case("colours are the sixteen names and hexadecimal numbers", function()
  for _, name in ipairs { "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white" } do
    local bright = "bright" .. name:sub(1, 1):upper() .. name:sub(2)
    same(view.label { textColor = name, backgroundColor = bright }.backgroundColor, bright)
  end
  same(view.label { textColor = "#0af" }.textColor, "#0af")
  same(view.label { textColor = "#00aaFF" }.textColor, "#00aaFF")
  for _, wrong in ipairs { "orange", "RED", "", "#12345", "#12345g", "default", "bright red" } do
    fails("is not a colour", function() view.label { textColor = wrong } end)
    fails("is not a colour", function() view.label {}.backgroundColor = wrong end)
  end
  fails("textColor holds string or nil", function() view.label { textColor = 5 } end)
end)

case("views are added, moved, replaced and removed", function()
  local function leaf(id) return view.label { id = id } end
  local a, b, c = leaf "a", leaf "b", leaf "c"
  local column = view.column {}
  same(column:add(b), b)
  column:add(a, 1)
  column:add(c, 3)
  same(order(column), "a b c")
  a:move(3)
  same(order(column), "b c a")
  same(b:replace(leaf "d").id, "d")
  same(order(column), "d c a")
  same(b.superview, nil)
  c:remove()
  c:remove()
  same(order(column), "d a")
  local row = view.row { a }
  same(order(column), "d")
  same(a.superview, row)
  a:replace(a)
  same(order(row), "a")
  fails("position 3 is out of range; expected 1 to 2", function() column:add(leaf "x", 3) end)
  fails("position 0 is out of range", function() column:add(leaf "x", 0) end)
  fails("position 2 is out of range; expected 1 to 1", function() a:move(2) end)
  fails("no superview to move in", function() b:move(1) end)
  fails("no superview to move in", function() b:move(7) end)
  fails("no superview in which to replace it", function() b:replace(c) end)
  fails("view expected", function() column:add(nil) end)
  fails("view expected", function() column.add(5, a) end)
  fails("cannot be added to itself", function() column:add(column) end)
  local outer = view.column { column }
  fails("cannot be added to itself or to a view inside it", function() column:add(outer) end)
end)

case("views are found by id, tag, class and key", function()
  local label = view.label { id = "x", tag = 4, key = "k" }
  local column = view.column { id = "top", view.row { label }, view.label { tag = 5 } }
  same(column:find "x", label)
  same(column:find { tag = 4 }, label)
  same(column:find { key = "k" }, label)
  same(column:find { class = "label" }, label)
  same(column:find { class = "UILabel", tag = 5 }, column.subviews[2])
  same(column:find "y", nil)
  same(column:find { tag = 4, key = "other" }, nil)
  same(column:find "top", nil)
  fails('did you mean "class"?', function() column:find { clas = "label" } end)
  fails("bad argument #1 to 'find'", function() column:find() end)
end)

case("shown views are found by their ids, the first in the order of the tree", function()
  local second = view.label { id = "twice", text = "second" }
  local column = view.column { view.row { view.label { id = "twice", text = "first" } }, second }
  show(column)
  same(views.twice.text, "first")
  views.twice:remove()
  same(views.twice, second)
  fails('no shown view has the id "twcie"; did you mean "twice"?', function() return views.twcie end)
  fails("views are found by their ids", function() views.other = second end)
end)

case("a window that is shown takes the place of the one before", function()
  local function window(title)
    return view.window { id = "main", title = title, padding = 1,
      view.label { id = "name", bindTo = { text = "window.title" } } }
  end
  show(window "one")
  same(views.name.text, "one")
  same(views.main.title, "one")
  show(window "two")
  same(views.name.text, "two")
  same(views.name.window, views.main)
  same(views.main:snapshot(), "\n two")
  show(view.column { id = "plain", views.name })
  same(views.name.text, "")
  same(views.plain:snapshot(), "")
end)

case("nodes are of their class and those above it", function()
  local field = view.field {}
  same(isa(field, "field"), true)
  same(isa(field, "view"), true)
  same(isa(field, "UITextField"), true)
  same(isa(field, "label"), false)
  same(isa(5, "view"), false)
end)

case("nil and false among the children stand for none", function()
  local function leaf(id) return view.label { id = id } end
  same(order(view.column { leaf "a", nil, leaf "b", false, leaf "c" }), "a b c")
  local some = model "some" { extra = false }
  local column = view.column {
    function() return { leaf "a", some.extra and leaf "x" or nil, leaf "b" } end,
    function() return nil, leaf "c" end,
  }
  same(order(column), "a b c")
  some.extra = true
  same(order(column), "a x b c")
end)

case("functions among the children may give tables in tables", function()
  local function leaf(id) return view.label { id = id } end
  local column = view.column { function() return { leaf "a", { leaf "b", { leaf "c" }, {} } }, leaf "d" end }
  same(order(column), "a b c d")
  local endless = {}
  endless[1] = endless
  local bad = view.column { function() return endless end }
  same(#bad.subviews, 0)
  same(errors()[1].code, "depth")
end)

case("ten thousand children are no trouble", function()
  local children = {}
  for i = 1, 10000 do children[i] = view.label { text = "row " .. i } end
  local column = view.column(children)
  same(#column.subviews, 10000)
  same(column:snapshot(10, 3), "row 1\nrow 2\nrow 3")
  children[5000]:remove()
  same(#column.subviews, 9999)
end)

case("views appear and disappear once each, however they are moved", function()
  local told = {}
  local function listener(name)
    return {
      willAppear = function() told[#told + 1] = "+" .. name end,
      didDisappear = function() told[#told + 1] = "-" .. name end,
    }
  end
  local leaf = view.label { on = listener "leaf" }
  local group = view.column { on = listener "group", leaf }
  local other = view.row {}
  local root = view.column { on = listener "root", group, other }
  local function seen()
    root:snapshot()
    local text = table.concat(told, " ")
    told = {}
    return text
  end
  same(seen(), "")
  show(root)
  same(seen(), "+root +group +leaf")
  group:move(2)
  other:add(group)
  same(seen(), "")
  group:remove()
  root:add(group, 1)
  same(seen(), "")
  group.hidden = true
  same(seen(), "")
  group:remove()
  same(seen(), "-group -leaf")
  root:add(group)
  group:remove()
  same(seen(), "")
  root:add(group)
  same(seen(), "+group +leaf")
  group:replace(view.label { on = listener "new" })
  same(seen(), "-group -leaf +new")
  local next = view.label {}
  show(next)
  next:snapshot()
  same(seen(), "-root -new")
end)

case("the focus goes on when its view cannot have it any more", function()
  local function button(id) return view.button { id = id, title = id } end
  local root = view.column { button "a", button "b", button "c" }
  show(root)
  local a, b, c = table.unpack(root.subviews:totable())
  local function focused()
    root:snapshot()
    for _, one in ipairs { a, b, c } do if one.focused then return one.id end end
  end
  same(b:focus(), true)
  same(focused(), "b")
  b:move(3)
  same(focused(), "b")
  b:move(2)
  b.enabled = false
  same(focused(), "c")
  same(b:focus(), false)
  b.enabled = true
  b:focus()
  b.hidden = true
  same(focused(), "c")
  b.hidden = false
  b:focus()
  b.focusable = false
  same(focused(), "c")
  b.focusable = true
  b:focus()
  b:remove()
  same(focused(), "c")
  root:add(b)
  c.enabled = false
  same(focused(), "b")
  same(view.label {}:focus(), false)
end)

case("a picture is as large as is asked for, within reason", function()
  local label = view.label { text = "hello" }
  same(label:snapshot(3, 1), "he…")
  same(label:snapshot(0, 0), "")
  same(label:snapshot(), "hello")
  fails("a picture has at most", function() label:snapshot(1000000000, 1000000000) end)
  fails("a picture has at most", function() label:snapshot(-1, 5) end)
  fails("a picture has at most", function() label:snapshot(math.maxinteger, math.maxinteger) end)
  fails("bad argument #2 to 'snapshot'", function() label:snapshot(10) end)
end)

case("every class is drawn in any size, whatever it is told", function()
  local sizes = { { 0, 0 }, { 1, 1 }, { 1, 5 }, { 5, 1 }, { 20, 5 } }
  for _, class in ipairs(classes) do
    for _, size in ipairs(sizes) do
      view[class] {}:snapshot(size[1], size[2])
      view[class] { padding = 3, margin = 3, enabled = false, error = "wrong", textColor = "red" }:snapshot(size[1], size[2])
      same(view[class] { hidden = true, error = "wrong" }:snapshot(size[1], size[2]), "")
    end
  end
end)

case("control characters and broken text are drawn harmlessly", function()
  same(view.label { text = "a\27[31mb\0c" }:snapshot(20, 1), "a�[31mb�c")
  same(view.label { text = "a\r\nb\nc" }:snapshot(20, 3), "a\nb\nc")
  same(#view.label { text = ("x"):rep(100000) }:snapshot(20, 2), 19 + #"…")
  for _, class in ipairs { "label", "field", "textArea", "button", "toggle", "checkbox", "box", "dialog" } do
    local name = view[class] and (class == "label" or class == "field" or class == "textArea") and "text" or "title"
    local node = view[class] { [name] = "\xff\27]0;x\7\u{202E}é日本" }
    if node:snapshot(30, 4):find "[\27\7]" then error(class .. " lets control characters through") end
  end
end)

case("a path of bindTo that leads from a model alone, named as a property, says so", function()
  for name, fields in pairs {
    style = { name = "x" },
    columns = { n = 2 }, cell = { n = 1 }, keys = { n = 2 }, contextMenu = { n = 3 },
  } do
    model(name)(fields)
    local path = name .. "." .. next(fields)
    context("ambiguous", function()
      local kind = (name == "columns" or name == "cell") and "table" or "label"
      local shown = view[kind] { bindTo = { tooltip = path } }
      show(shown)
      same(#errors(), 1)
      same(errors()[1].message:find("also the name of a model", 1, true) ~= nil, true)
    end)
    context.clear "ambiguous"
    same(#errors(), 0)
  end
end)

case("a path from a view's own property is not ambiguous where it leads to a property", function()
  model "superview" { tooltip = "model" }
  model "dataObject" { name = "model" }
  model "selectedObject" { name = "model" }
  local label = view.label { bindTo = { text = "dataObject.name", tooltip = "superview.tooltip" } }
  local rows = view.list { items = { { name = "row" } }, selectedIndex = 1,
    bindTo = { tooltip = "selectedObject.name" } }
  show(view.column { dataObject = object { name = "own" }, tooltip = "above", label, rows })
  same(label.text .. " " .. label.tooltip .. " " .. rows.tooltip, "own above row")
  same(#errors(), 0)
end)
