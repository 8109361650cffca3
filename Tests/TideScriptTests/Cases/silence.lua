-- What used to be taken in silence says what is wrong.

local function nothing() end

case("Silence 1 a list has no gaps", function()
  fails("a list holds no nil, but element 2 is nil; use null, or leave it out", list, { 1, nil, 3 })
  fails("a list holds no nil, but element 1 is nil", list, { nil, 2 })
  fails("a list holds no nil, but element 2 is nil", object, { rows = { 1, nil, 3 } })
  local o = object { rows = { 1 } }
  fails("element 3 is nil", function() o.rows = { 1, 2, nil, 4 } end)
  fails("element 2 is nil", function() o.rows:set { 1, nil, 3 } end)
  same(#o.rows, 1)
  fails("the sources of bind holds no nil, but element 2 is nil", bind, { "n", nil, "m" }, "t", {})
  fails("a list of transformers holds no nil, but element 2 is nil",
    ref, o, "rows", { tostring, nil, tostring })
  fails("the enum holds no nil, but element 2 is nil", property, { enum = { "a", nil, "b" } })
  fails("columns holds no nil, but element 1 is nil", view.table, { columns = { nil, "name" } })
  same(#list { 1, null, 3 }, 3)
  -- What ends in nil has no gap.
  same(#list { 1, nil }, 1)
end)

case("Silence 2 a function takes no more than it has parameters for", function()
  local o = object { n = 1 }
  fails("bad argument #3 to 'observe' (one too many: observe(object, fn) takes 2 arguments)",
    observe, o, nothing, { initial = true })
  fails("bad argument #3 to 'observe' (one too many: observe(object, fn) takes 2 arguments)",
    observe, o, nothing, "n")
  fails("bad argument #2 to 'effect' (one too many: effect(fn) takes one argument)",
    effect, nothing, {})
  fails("bad argument #1 to 'now' (one too many: now() takes no arguments)", now, 1)
  fails("bad argument #1 to 'clear' (one too many: clear() takes no arguments)", function()
    local l = list {}
    l:clear(1, 2)
  end)
  fails("bad argument #3 to 'bind' (one too many: bind(expression, options) takes 2 arguments)",
    bind, "a.n -> b.n", {}, 3)
  fails("only the contexts of an object have a second name", context.clear, "this", "that")
  fails("one too many: model fruit(fields) takes one argument", function()
    local fruit = model "fruit"
    fruit({ name = "fig" }, { name = "pear" })
  end)
  model "fruit" { name = "fig" }
  local Fruit = class "Fruit" { name = "" }
  fails("bad argument #2 to 'Fruit' (one too many: Fruit(fields) takes one argument)",
    Fruit, { name = "fig" }, 5)
  -- What a script passes on may end in nothing.
  same(type(now(nil)), "number")
  local function pass(...) return observe(...) end
  pass(o, "n", nothing, nil, nil):cancel()
end)

case("Silence 3 a style is one of those that there are", function()
  fails("there is no style \"mutd\"; did you mean \"muted\"?", view.label, { style = "mutd" })
  fails("there is no style \"titel\"; did you mean \"title\"?", view.label, { style = "bold titel" })
  fails("label.style is a text with names, or a list of them, not integer (5)", view.label, { style = 5 })
  fails("label.style is a text with names, or a list of them, not boolean (true)",
    view.label, { style = { "bold", true } })
  local label = view.label { style = "muted" }
  fails("there is no style \"mutd\"", function() label.style = "mutd" end)
  same(label.style, "muted")
  label.style = ""
  label.style = { "title", "accent" }
  local o = object { style = "bold" }
  bind("style -> style", o, label)
  o.style = "bld"
  assert(errors()[1].message:find("there is no style \"bld\"; did you mean \"bold\"?", 1, true))
  o.style = "error"
  same(#errors(), 0)
end)

case("Silence 4 a chart shows numbers", function()
  fails("chart.values are numbers, but element 2 is string (\"a\")",
    view.chart, { values = { 1, "a", 3 } })
  fails("chart.values are numbers, but element 1 is boolean (true)",
    view.chart, { values = { { values = { true } } } })
  fails("chart.values holds list or nil, not integer (5)", view.chart, { values = 5 })
  local chart = view.chart { values = { 1, null, 0 / 0, 3.5 } }
  chart.values = { { 1, 2 }, { 3 } }
  chart.values = nil
end)

case("Silence 4a what is to be a list of texts holds texts", function()
  fails("tabs.titles are texts, but element 1 is integer (5)", view.tabs, { titles = { 5, {} } })
  fails("tabs.titles are texts, but element 2 is ", view.tabs, { titles = { "a", {} } })
  fails("chart.labels are texts, but element 1 is boolean (true)", view.chart, { labels = { true } })
  local titles = list { "a", null, "c" }
  local tabs = view.tabs { titles = titles, view.label {}, view.label {}, view.label {} }
  show(tabs)
  same(#errors(), 0)
  fails("tabs.titles are texts", function() tabs.titles = list { "a", 5 } end)
  same(tabs.titles, titles)
end)

case("Silence 5 a selection knows the names of the controller's rows", function()
  local c = controller.list { content = { { name = "Ada", at = { x = 1 } } } }
  fails("object has no property \"nmae\"; did you mean \"name\"?", function() return c.selection.nmae end)
  local label = view.label {}
  -- Put together, so that a check of this file says nothing of it.
  bind("selection.at." .. "xx -> text", c, label)
  assert(errors()[1].message:find("object has no property \"xx\"; there is only x", 1, true))
  fails("object has no property \"nmae\"; did you mean \"name\"?",
    bind, "nmae -> text", c.selection, label)
  c:add(object { nmae = 1, name = "Eve" })
  c.selectionIndex = 1
  same(c.selection.nmae, NotApplicable)
end)

case("Silence 6 options are known and of their types", function()
  local o = object { n = 1 }
  fails("the option \"initial\" of observe is true or false, not 1", observe, o, "n", nothing, { initial = 1 })
  fails("the option \"batch\" of observe is true or false, not \"yes\"", function()
    list {}:observe(nothing, { batch = "yes" })
  end)
  fails("the option \"initial\" of on is true or false", on, view.button {}, "touchUpInside", nothing,
    { initial = "yes" })
  fails("the option \"tag\" of find is a whole number, not \"x\"", function()
    view.column {}:find { tag = "x" }
  end)
  fails("there is no view class \"lable\"; did you mean \"label\"?", function()
    view.column {}:find { class = "lable" }
  end)
  fails("a transformer has no option \"revrese\"; did you mean \"reverse\"?", transformer, "odd",
    { transform = tostring, revrese = tonumber })
  fails("bind has no option \"path\"", bind, "n -> n", o, o, { path = "n" })
  fails("bad argument #2 to 'context' (table expected, got number)", context, "x", 5, nothing)
  fails("\"enabled\" of a binding is true or false, not 1", function()
    bind("n -> n", o, object { n = 0 }).enabled = 1
  end)
  fails("column.padding is a number of cells, a list of 2 or 4, or a table with top, right, bottom, "
    .. "left, vertical or horizontal, not object (object); it has no \"tpo\"; did you mean \"top\"?",
    view.column, { padding = { top = 1, tpo = 2 } })
end)

case("Silence 10 what is written out in tables is known and of its type", function()
  fails("a column's sort is a path, a function, true or false, not integer (5)",
    view.table, { columns = { { title = "x", sort = 5 } } })
  fails("a column has no \"widht\"; did you mean \"width\"?",
    view.table, { columns = { { title = "x", widht = 5 } } })
  fails("a label has properties by their names and subviews at 1, 2, …; found the key true",
    view.label, { [true] = 1 })
  fails("found the key 1.5", view.column, { [1.5] = view.label {} })
  fails("found the key 0", view.column, { [0] = view.label {} })
  fails("a property with an enum has one of its names as default, not 5",
    property, { enum = { "a" }, default = 5 })
  fails("an item of a menu has no property \"titel\"; did you mean \"title\"?",
    view.menu, { items = { { titel = "x" } } })
  same(view.table({ columns = { { title = "x", sort = true } } }).class, "table")
end)

case("Silence 7 a path that is observed lists a step that is not there", function()
  local o = object { inner = { name = "Ada" } }
  local seen
  observe(o, "inner.nmae", function(new) seen = new end)
  same(#errors(), 1)
  same(errors()[1].message, "object has no property \"nmae\"; did you mean \"name\"?")
  if not errors()[1].location:find("silence.lua:", 1, true) then error(errors()[1].location) end
  o.inner = { nmae = "Eve" }
  same(#errors(), 0)
  same(seen, "Eve")
end)

case("Silence 8 a ref writes what is reached through a selection", function()
  local rows = list { { d = { name = "a" } }, { d = { name = "b" } } }
  local c = controller.list { content = rows }
  c:selectAll()
  ref(c, "selection.d.name").value = "y"
  same(rows[1].d.name .. rows[2].d.name, "yy")
  transformer("louder", { transform = string.upper, reverse = string.lower })
  local loud = ref(c, "selection.d.name", "louder")
  same(loud.value, "Y")
  loud.value = "Z"
  same(rows[1].d.name .. rows[2].d.name, "zz")
end)

case("Silence 9 who observes a list at the end of a path is told where and what", function()
  local seen
  local function note(_, _, change)
    seen = ("%s %s %d %s"):format(change.path, change.kind, change.indexes[1], change.objects[1].name)
  end
  local o = object { rows = { { name = "a" } } }
  observe(o, "rows", note)
  o.rows:append(object { name = "b" })
  same(seen, "rows insertion 2 b")
  local c = controller.list { content = o.rows }
  observe(c, "arrangedObjects", note)
  c:add(object { name = "c" })
  same(seen, "arrangedObjects insertion 3 c")
  local all
  observe(c, "arrangedObjects", function(_, _, change) all = change.edits end)
  c.filter = function(row) return row.name == "a" end
  same(all, nil)
  c.filter = function(row) return row.name ~= "a" end
  same(#all, 2)
  same(all[1].kind .. " " .. all[2].kind, "replacement insertion")
end)

case("Silence 30 the name of a class is one that there is, or no slip of the pen", function()
  local Person = class "Person" { name = "" }
  local Worker = class("Worker", Person) {}
  local jim = Worker {}
  same(isa(jim, "Person") and isa(jim, "Worker"), true)
  fails("there is no class \"Persn\"; did you mean \"Person\"?", isa, jim, "Persn")
  fails("there is no class \"Labl\"", isa, view.label {}, "Labl")
  fails("there is no class \"labl\"; did you mean \"label\"?", isa, view.label {}, "labl")
  -- No object can be of a class that nobody has declared yet.
  same(isa(jim, "Spaceship"), false)
  same(isa(jim, "label"), false)
  same(isa(view.label {}, "UIButton"), false)
  same(isa(5, "Person"), false)
  same(isa(list {}, "list"), true)
end)

case("Silence 31 what the tables of the API lack is said, with what was meant", function()
  fails("log has no \"inf\"; did you mean \"info\"?", function() log.inf("x") end)
  fails("controller has no \"lst\"; did you mean \"list\"?", function() controller.lst {} end)
  fails("notification has no \"pst\"; did you mean \"post\"?", function() notification.pst("x") end)
  fails("trigger has no \"evry\"", function() trigger.evry(1) end)
  fails("context has no \"bgin\"; did you mean \"begin\"?", function() context.bgin("x") end)
  fails("did you mean \"component\"?", function() view.componnt("x", {}) end)
  fails("the table 'log' is read-only", function() log.info = print end)
  fails("read-only", rawset, log, "info", print)
  same(rawget(log, "inf"), nil)
  local names = {}
  for name in pairs(notification) do names[#names + 1] = name end
  table.sort(names)
  same(table.concat(names, " "), "observe post")
end)

case("Silence 32 a tree's path that leads nowhere from any row is reported once, until it is fixed", function()
  local Folder = class "Folder" { name = "", folders = list {}, isLeaf = false, size = 0 }
  local File = class "File" { name = "" }
  local function roots()
    return list { File { name = "z" }, Folder { name = "a", folders = { Folder { name = "b" } } } }
  end
  local c = controller.tree { content = roots(), childrenPath = "fold" .. "rs" }
  same(#errors(), 1)
  local told = errors()[1]
  same(told.code, "unknownProperty")
  same(told.location:find("silence.lua:", 1, true) ~= nil, true)
  same(told.message:find('childrenPath "foldrs" leads nowhere from any row', 1, true) ~= nil, true)
  same(told.message:find('Folder has no property "foldrs"; did you mean "folders"?', 1, true) ~= nil, true)
  -- It is told once, whatever comes and goes.
  c.content:append(Folder { name = "c" })
  same(#errors(), 1)
  c.childrenPath = "folders"
  same(#errors(), 0)
  -- One row that has it is enough, now or before.
  c.content:remove(3)
  c.content:remove(2)
  same(#errors(), 0)
  c.content = list { Folder {} }
  c.countPath = "si" .. "se"
  same(#errors(), 1)
  same(errors()[1].message:find('did you mean "size"?', 1, true) ~= nil, true)
  c.countPath = "size"
  c.leafPath = "is" .. "Leef"
  same(errors()[1].message:find('did you mean "isLeaf"?', 1, true) ~= nil, true)
  c.leafPath = nil
  same(#errors(), 0)
end)

case("Silence 33 a tree view's path that leads nowhere from any row is told as well", function()
  local Folder = class "Folder" { name = "", folders = list {} }
  local rows = list { Folder { name = "a", folders = { Folder { name = "b" } } } }
  for _, option in ipairs { "childrenPath", "children" } do
    local shown = view.tree { items = rows, [option] = "folder" }
    same(#errors(), 1)
    same(errors()[1].message:find('did you mean "folders"?', 1, true) ~= nil, true)
    same(errors()[1].location:find("silence.lua:", 1, true) ~= nil, true)
    shown.childrenPath = "folders"
    same(#errors(), 0)
  end
end)

case("Silence 34 what may have any property, or has children by chance, is no mistake", function()
  view.tree { items = list { dict { a = 1 } }, childrenPath = "kinds" }
  view.tree { items = list { 1, 2 }, childrenPath = "kinds" }
  view.tree { items = list {}, childrenPath = "kinds" }
  view.tree { items = list { { name = "flat" } } }
  view.tree { items = list { { name = "flat" } }, childrenPath = "children" }
  controller.tree { content = list { object { name = "flat" } } }
  controller.tree { content = list { dict {} }, childrenPath = "kinds", countPath = "n" }
  local kept = controller.tree { content = list { object { kinds = list {} } }, childrenPath = "kinds" }
  view.tree { items = kept.arrangedObjects, childrenPath = "kinds" }
  same(#errors(), 0)
end)

case("Silence 35 a list says how many elements it has by another name", function()
  local l = list { 1 }
  fails("list has no property \"cout\"; how many elements it has is #list, in a path @count",
    function() return l.cout end)
  fails("#list", function() return l.length end)
  fails("did you mean \"append\"?", function() return l.apend end)
  fails("did you mean \"@count\"?", function() return ref(object { l = l }, "l.cout").value end)
end)

case("Silence 36 a name that is near to none says which names there are", function()
  -- Put together, so that a check of this file says nothing of it.
  local name = "zz" .. "zz"
  local wrong = { [name] = 1 }
  local o = object { first = 1 }
  fails("object has no property \"zzzz\"; there is only first", function() return o[name] end)
  fails("object has no property \"zzzz\"; there is only first", function() o[name] = 1 end)
  fails("label has no property \"zzzz\"; there are ", view.label, wrong)
  fails(" more", view.label, wrong)
  fails("label has no event \"zzzz\"; there are ", on, view.label {}, name, nothing)
  fails("app sends no event \"zzzz\"; there is only willQuit", on, app, name, nothing)
  fails("a column has no \"zzzz\"; there are ", view.table, { columns = { { key = "a", [name] = 1 } } })
  fails("has no option \"zzzz\"; there are ", controller.list, wrong)
  fails("resource has no option \"zzzz\"; there are ", resource, nothing, wrong)
  fails("property has no option \"zzzz\"; there are ", property, wrong)
  fails("json has no \"zzzz\"; there are decode, encode", function() return json[name] end)
  fails("has no property \"zzzz\"; there are ", style.define, "a", wrong)
  fails("there is no view class \"zzzz\"; there are ", function() return view[name] end)
end)
