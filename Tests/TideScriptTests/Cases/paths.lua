-- Paths: view operators one by one, and collection operators.

local function value(from, path)
  local to = object { v = property {} }
  bind(path .. " -> v", from, to)
  return to, function() return to.v end
end

local function tree()
  local label = view.label { id = "leaf", tag = 1, text = "t" }
  local row = view.row { id = "row", tag = 12, label }
  local cell = view.cell { id = "cell", tag = 12, row }
  local top = view.column { id = "top", tag = 99, cell, view.label { id = "second", tag = 5 } }
  return top, cell, row, label
end

case("T4b every operator upwards hits", function()
  local top, cell, row, label = tree()
  for path, id in pairs {
    ["@superview"] = "row", ["superview"] = "row", ["@superview.@superview"] = "cell",
    ["@rootview"] = "top", ["@superviewWithTag[12]"] = "row", ["@superviewWithTag[99]"] = "top",
    ["@superviewWithRestorationID[cell]"] = "cell", ["@superviewWithID[cell]"] = "cell",
    ["@superviewWithID['cell']"] = "cell", ['@superviewWithID["cell"]'] = "cell",
    ["@superviewWithClass[cell]"] = "cell", ["@superviewWithClass[UITableViewCell]"] = "cell",
    ["@superviewWithClass[UICollectionViewCell]"] = "cell", ["@superviewWithClass[row]"] = "row",
    ["@superviewWithClass[column]"] = "top", ["@superviewWithClass[UIView]"] = "row",
    ["@superviewWithClass[view]"] = "row", ["@cell"] = "cell",
    [" @superviewWithTag [ 12 ] "] = "row",
  } do
    local to = value(label, path .. ".id")
    if to.v ~= id then error(path .. " leads to " .. tostring(to.v) .. ", not " .. id) end
  end
end)

case("T4c every operator downwards hits, direct children alone", function()
  local top, cell, row, label = tree()
  for path, id in pairs {
    ["@subviews[0]"] = "cell", ["@subviews[1]"] = "second", ["@subviewWithTag[5]"] = "second",
    ["@subviewWithRestorationID[second]"] = "second", ["@subviewWithID[cell]"] = "cell",
    ["@subviewWithClass[label]"] = "second", ["@subviewWithClass[UILabel]"] = "second",
    ["@subviewWithClass[UITableViewCell]"] = "cell", ["@subviews[0].@subviews[0]"] = "row",
    ["@subviewWithClass[cell].@subviewWithTag[12].@subviewWithID[leaf]"] = "leaf",
    ["@subviewWithClass[UIView]"] = "cell",
  } do
    local to = value(top, path .. ".id")
    if to.v ~= id then error(path .. " leads to " .. tostring(to.v) .. ", not " .. id) end
  end
end)

case("T4d every operator misses without an error, and shows the fallback", function()
  local top, cell, row, label = tree()
  for path, from in pairs {
    ["@superview"] = top, ["superview"] = top, ["@superviewWithTag[1]"] = label,
    ["@superviewWithID[leaf]"] = label, ["@superviewWithClass[label]"] = label,
    ["@superviewWithClass[UITextField]"] = label, ["@cell"] = cell, ["window"] = label,
    ["@subviews[2]"] = top, ["@subviewWithTag[1]"] = top, ["@subviewWithID[leaf]"] = top,
    ["@subviewWithClass[button]"] = top, ["@subviews[99999999999]"] = top,
    ["@superview.@superview.@superview.@superview"] = label, ["@subviews[7].@superview"] = top,
  } do
    local to = object { v = "stale" }
    local b = bind(path .. ".id -> v", from, to, { fallback = "none" })
    if to.v ~= "none" or b.error then error(path .. " gives " .. tostring(to.v)) end
  end
  same(#errors(), 0)
end)

case("T4e every operator refuses a bad argument, with its column", function()
  local _, _, _, label = tree()
  local to = object { v = property {} }
  for path, message in pairs {
    ["@superview[1]"] = "column 11: @superview takes no argument",
    ["@rootview[1]"] = "column 10: @rootview takes no argument",
    ["@cell[1]"] = "column 6: @cell takes no argument",
    ["@superviewWithTag"] = "column 18: @superviewWithTag needs an argument",
    ["@superviewWithTag[]"] = "column 19: bad number",
    ["@superviewWithTag[x]"] = "column 19: bad number",
    ["@superviewWithTag[1.5]"] = "column 19: bad number",
    ["@superviewWithTag[99999999999999999999]"] = "column 19: bad number",
    ["@superviewWithID"] = "column 17: @superviewWithID needs an argument",
    ["@superviewWithID[]"] = "column 18: @superviewWithID needs an argument",
    ["@superviewWithRestorationID[ ]"] = "@superviewWithRestorationID needs an argument",
    ["@superviewWithClass"] = "@superviewWithClass needs an argument",
    ["@subviews"] = "column 10: @subviews needs an argument",
    ["@subviews[-1]"] = "counted from 0",
    ["@subviewWithTag[one]"] = "bad number",
    ["@subviewWithID[a"] = "unterminated bracket",
    ["@subviewWithClass[]"] = "@subviewWithClass needs an argument",
    ["@superviewWithTga[1]"] = 'did you mean "@superviewWithTag"?',
    ["@window"] = 'window is written without "@"',
    ["@dataObject"] = 'dataObject is written without "@"',
  } do
    fails(message, bind, path .. ".id -> v", label, to)
    fails("^", bind, path .. ".id -> v", label, to)
  end
end)

case("P5 a view operator at what is no view says so", function()
  local o, to = object { x = 1, child = { y = 2 } }, object { v = property {} }
  local b = bind(wrong "child.@superview.id -> v", o, to)
  same(b.error.code, "unknownOperator")
  assert(b.error.message:find("starts from a view", 1, true), b.error.message)
end)

case("P6 window is the window that holds the view, and comes and goes with it", function()
  local label = view.label { text = "" }
  local to = value(label, "window.class")
  same(to.v, nil)
  local root = view.column { label }
  show(root)
  same(to.v, "window")
  label:remove()
  same(to.v, nil)
  root:add(label)
  same(to.v, "window")
end)

case("P7 a path is resolved again when a view on it is moved, added or removed", function()
  local leaf = view.label { text = "" }
  local by = value(leaf, "@superviewWithTag[7].id")
  local root = value(leaf, "@rootview.id")
  same(by.v, nil)
  local inner = view.row { id = "inner", leaf }
  local outer = view.column { id = "outer", tag = 7, inner }
  same(by.v, "outer")
  same(root.v, "outer")
  inner.tag = 7
  same(by.v, "inner")
  inner.tag = nil
  same(by.v, "outer")
  local other = view.column { id = "other", tag = 7 }
  other:add(leaf)
  same(by.v, "other")
  same(root.v, "other")
  leaf:remove()
  same(by.v, nil)
  inner:add(leaf)
  same(by.v, "outer")
  inner:remove()
  same(by.v, nil)
  same(root.v, "inner")
end)

case("P8 a path downwards follows additions, removals, moves and renamings", function()
  local top = view.column {}
  local first = value(top, "@subviews[0].id")
  local byClass = value(top, "@subviewWithClass[label].id")
  local byID = value(top, "@subviewWithID[b].tag")
  same(first.v, nil)
  local a, b = view.row { id = "a" }, view.label { id = "x", tag = 3 }
  top:add(a)
  same(first.v, "a")
  top:add(b, 1)
  same(first.v, "x")
  same(byClass.v, "x")
  same(byID.v, nil)
  b.id = "b"
  same(byID.v, 3)
  same(byClass.v, "b")
  b:move(2)
  same(first.v, "a")
  b:remove()
  same(byID.v, nil)
  same(byClass.v, nil)
end)

case("P9 a binding is declared before superview and data object, in any order", function()
  local label = view.label { bindTo = { text = "@superview.@superview.dataObject.name" } }
  local row = view.row {}
  row:add(label)
  same(label.text, "")
  local column = view.column {}
  column:add(row)
  same(label.text, "")
  column.dataObject = object { name = "x" }
  same(label.text, "x")
  local direct = view.label { bindTo = { text = "dataObject.name" } }
  row:add(direct)
  same(direct.text, "x")
  row.dataObject = object { name = "y" }
  same(direct.text, "y")
  row.dataObject = nil
  same(direct.text, "x")
end)

case("P10 both ways through a view path writes to whichever object is there", function()
  local field = view.field { bindTo = { text = "<> @superview.dataObject.name" } }
  local one, two = object { name = "one" }, object { name = "two" }
  local a, b = view.row { dataObject = one, field }, view.row { dataObject = two }
  field.text = "1"
  same(one.name, "1")
  b:add(field)
  same(field.text, "two")
  field.text = "2"
  same(two.name, "2")
  same(one.name, "1")
  same(#a.subviews, 0)
end)

case("P11 a step that names no property gives the nearest name", function()
  local o, to = object { person = { name = "a" } }, object { v = property {} }
  fails('has no property "persn"; did you mean "person"?', bind, "persn.name -> v", o, to)
  local b = bind("person.nmae -> v", o, to)
  same(b.error.code, "unknownProperty")
  assert(b.error.message:find('did you mean "name"?', 1, true), b.error.message)
  o.person = { nmae = "found" }
  same(to.v, "found")
  same(b.error, nil)
  fails('did you mean "name"?', function()
    local label = view.label { bindTo = { text = "dataObject.nmae" } }
    local row = view.row { dataObject = object { name = "x" }, label }
    error(errors()[1].message)
  end)
end)

case("P12 a step through a number says what it is", function()
  local o, to = object { age = 3, name = "x" }, object { v = property {} }
  local b = bind(wrong "age.years -> v", o, to)
  assert(b.error.message:find('age of object is an integer, which has no property "years"', 1, true),
    b.error.message)
  local c = bind(wrong "name[1].x -> v", o, to)
  assert(c.error.message:find("not a list", 1, true), c.error.message)
end)

case("P13 elements by position follow the list", function()
  local o = object { items = { { name = "a" }, { name = "b" } } }
  local to = value(o, "items[2].name")
  same(to.v, "b")
  o.items:insert(1, object { name = "z" })
  same(to.v, "a")
  o.items[2].name = "q"
  same(to.v, "q")
  o.items:clear()
  same(to.v, nil)
  o.items = { { name = "1" }, { name = "2" } }
  same(to.v, "2")
  fails("counted from 1", bind, "items[0].name -> v", o, to)
end)

local function shop()
  return object { items = {
    { name = "fig", price = 2, tags = { "sweet", "soft" } },
    { name = "nut", price = 5, tags = { "hard" } },
    { name = "pear", price = 2.5, tags = { "sweet" } },
  } }
end

case("P14 @count @sum @avg @min @max follow insertions, removals and element changes", function()
  local o = shop()
  local count, sum = value(o, "items.@count"), value(o, "items.@sum.price")
  local avg, min = value(o, "items.@avg.price"), value(o, "items.@min.price")
  local max = value(o, "items.@max.price")
  local function all(...)
    local wanted, got = { ... }, { count.v, sum.v, avg.v, min.v, max.v }
    for i = 1, 5 do same(got[i], wanted[i]) end
  end
  all(3, 9.5, 9.5 / 3, 2, 5)
  o.items:append(object { name = "kiwi", price = 10, tags = {} })
  all(4, 19.5, 19.5 / 4, 2, 10)
  o.items[1].price = 20
  all(4, 37.5, 37.5 / 4, 2.5, 20)
  o.items:remove(1)
  all(3, 17.5, 17.5 / 3, 2.5, 10)
  o.items[1] = object { price = 1 }
  all(3, 13.5, 4.5, 1, 10)
  o.items:move(1, 3)
  all(3, 13.5, 4.5, 1, 10)
  batch(function()
    o.items:remove(1)
    o.items[1].price = 3
    o.items:append(object { price = 7 })
  end)
  all(3, 3 + 10 + 7 - 0.0 - 9, (3 + 10 + 7 - 9) / 3, 1, 7)
  o.items:clear()
  all(0, 0, 0, nil, nil)
  o.items = { { price = 4 } }
  all(1, 4, 4, 4, 4)
  same(math.type(sum.v), "integer")
end)

case("P15 nil counts as 0 in sums and averages and is passed over by least and greatest", function()
  local Thing = class "Thing" { price = property {} }
  local o = object { items = { Thing { price = 4 }, Thing {}, Thing { price = 2 } } }
  same(value(o, "items.@sum.price").v, 6)
  same(value(o, "items.@avg.price").v, 2)
  same(value(o, "items.@min.price").v, 2)
  same(value(o, "items.@max.price").v, 4)
  local union = value(o, "items.@unionOfObjects.price")
  same(table.concat(union.v:totable(), ","), "4,2")
  o.items[2].price = 6
  same(table.concat(union.v:totable(), ","), "4,6,2")
  o.items[2].price = nil
  same(table.concat(union.v:totable(), ","), "4,2")
  local none = object { items = { Thing {}, Thing {} } }
  same(value(none, "items.@sum.price").v, 0)
  same(value(none, "items.@avg.price").v, 0)
  same(value(none, "items.@min.price").v, nil)
end)

case("P16 an empty list, no list, and what is no list", function()
  local o = object { items = list {}, other = property {}, name = "x" }
  same(value(o, "items.@count").v, 0)
  same(value(o, "items.@sum.price").v, 0)
  same(value(o, "items.@avg.price").v, 0)
  same(value(o, "items.@min.price").v, nil)
  same(value(o, "items.@max.price").v, nil)
  same(#value(o, "items.@unionOfObjects.price").v, 0)
  same(#value(o, "items.@distinctUnionOfArrays.price").v, 0)
  local to = object { v = "stale" }
  local b = bind("other.@sum.price -> v", o, to, { fallback = "-" })
  same(to.v, "-")
  o.other = list { object { price = 3 } }
  same(to.v, "3")
  o.other = object { x = 1 }
  assert(b.error.message:find("summarizes a list", 1, true), b.error.message)
  local c = bind(wrong "name.@count -> v", o, to)
  assert(c.error.message:find("is a string", 1, true), c.error.message)
end)

case("P17 elements themselves are summarized", function()
  local o = object { n = { 3, 1, 2 }, t = { "b", "a", "b" } }
  same(value(o, "n.@sum").v, 6)
  same(value(o, "n.@avg").v, 2)
  same(value(o, "n.@max").v, 3)
  same(value(o, "t.@min").v, "a")
  local distinct = value(o, "t.@distinctUnionOfObjects")
  same(table.concat(distinct.v:totable(), ","), "b,a")
  o.t:remove(1)
  same(table.concat(distinct.v:totable(), ","), "a,b")
end)

-- A check of the elements of a union and of a distinct one.
local function unions(o, union, distinct)
  local all, each = value(o, union), value(o, distinct)
  return function(a, b)
    same(table.concat(all.v:totable(), ","), a)
    same(table.concat(each.v:totable(), ","), b)
  end
end

case("P18 unions of objects follow in order, distinct ones by their first", function()
  local o = shop()
  local both = unions(o, "items.@unionOfObjects.name", "items.@distinctUnionOfObjects.name")
  both("fig,nut,pear", "fig,nut,pear")
  o.items:append(object { name = "fig" })
  both("fig,nut,pear,fig", "fig,nut,pear")
  o.items[1].name = "pear"
  both("pear,nut,pear,fig", "pear,nut,fig")
  o.items:remove(1)
  both("nut,pear,fig", "nut,pear,fig")
  o.items:insert(1, object { name = "fig" })
  both("fig,nut,pear,fig", "fig,nut,pear")
  o.items:move(1, 3)
  both("nut,pear,fig,fig", "nut,pear,fig")
end)

case("P19 unions of arrays follow the lists in the elements", function()
  local o = shop()
  local both = unions(o, "items.@unionOfArrays.tags", "items.@distinctUnionOfArrays.tags")
  both("sweet,soft,hard,sweet", "sweet,soft,hard")
  o.items[2].tags:append("dry")
  both("sweet,soft,hard,dry,sweet", "sweet,soft,hard,dry")
  o.items[1].tags = { "soft" }
  both("soft,hard,dry,sweet", "soft,hard,dry,sweet")
  o.items:move(3, 1)
  both("sweet,soft,hard,dry", "sweet,soft,hard,dry")
  o.items:remove(2)
  both("sweet,hard,dry", "sweet,hard,dry")
  o.items:insert(2, object { tags = { "hard", "x" } })
  both("sweet,hard,x,hard,dry", "sweet,hard,x,dry")
end)

case("P20 operators nest, and take a key path after them", function()
  local o = object { orders = {
    { lines = { { price = 1, item = { weight = 5 } }, { price = 2, item = { weight = 6 } } } },
    { lines = { { price = 4, item = { weight = 7 } } } },
  } }
  local total = value(o, "orders.@sum.lines.@sum.price")
  local most = value(o, "orders.@max.lines.@count")
  local heavy = value(o, "orders.@max.lines.@max.item.weight")
  local weights = value(o, "orders.@unionOfArrays.lines.@unionOfObjects.item.weight")
  same(total.v, 7)
  same(most.v, 2)
  same(heavy.v, 7)
  same(table.concat(weights.v:totable(), ","), "5,6,7")
  o.orders[2].lines:append(object { price = 10, item = object { weight = 1 } })
  same(total.v, 17)
  same(table.concat(weights.v:totable(), ","), "5,6,7,1")
  o.orders[1].lines[1].price = 3
  same(total.v, 19)
  o.orders[1].lines[2].item = object { weight = 60 }
  same(heavy.v, 60)
  same(table.concat(weights.v:totable(), ","), "5,60,7,1")
  o.orders:remove(1)
  same(total.v, 14)
  same(most.v, 2)
  o.orders[1].lines = { { price = 1, item = { weight = 2 } } }
  same(total.v, 1)
  same(heavy.v, 2)
end)

case("P21 a change costs one element, not the list", function()
  local reads = 0
  local Item = class "Item" {
    price = 1,
    gross = computed(function(self) reads = reads + 1 return self.price * 2 end),
  }
  local items = list {}
  for i = 1, 500 do items:append(Item { price = i }) end
  local o = object { items = items }
  local sum, max = value(o, "items.@sum.gross"), value(o, "items.@max.gross")
  local union = value(o, "items.@unionOfObjects.gross")
  local distinct = value(o, "items.@distinctUnionOfObjects.gross")
  same(sum.v, 500 * 501)
  same(reads, 500)
  items[250].price = 1000
  same(reads, 501)
  same(sum.v, 500 * 501 + 1500)
  same(max.v, 2000)
  same(union.v[250], 2000)
  items:insert(1, Item { price = 7 })
  same(reads, 502)
  same(distinct.v[1], 14)
  same(#distinct.v, 500)
  items:remove(100)
  same(reads, 502)
  same(#union.v, 500)
end)

case("P22 one bad element fails the whole, until it is well again", function()
  local o = shop()
  local to = object { v = 0 }
  local b = bind("items.@sum.price -> v", o, to)
  same(to.v, 9.5)
  -- Put together, so that a check of this file says nothing of it.
  o.items:append(object { ["pri" .. "ze"] = 3 })
  same(b.error.code, "unknownProperty")
  assert(b.error.message:find('did you mean "price"?', 1, true)
    or b.error.message:find('no property "price"', 1, true), b.error.message)
  same(to.v, 9.5)
  same(#errors(), 1)
  o.items:remove(4)
  same(b.error, nil)
  same(#errors(), 0)
  o.items[1].price = 3
  same(to.v, 10.5)
  o.items:append(7)
  assert(b.error.message:find("reads price of each element, but one is an integer (7)", 1, true),
    b.error.message)
  o.items[4] = object { price = "12" }
  same(to.v, 22.5)
  o.items[4].price = "twelve"
  same(b.error.code, "conversion")
  o.items:clear()
  same(b.error, nil)
  same(to.v, 0)
end)

case("P23 texts have a least and a greatest, numbers and texts together have none", function()
  local o = shop()
  local to = object { v = property {} }
  local b = bind("items.@min.name -> v", o, to)
  same(to.v, "fig")
  same(value(o, "items.@max.name").v, "pear")
  o.items:append(object { name = 3 })
  same(b.error.code, "conversion")
  o.items:remove(4)
  same(b.error, nil)
end)

case("P24 a union is told to observers, joins into a text, and is read only", function()
  local o, seen = shop(), {}
  observe(o, "items.@unionOfObjects.name", function(names)
    seen[#seen + 1] = table.concat(names:totable(), "+")
  end)
  local label = view.label {}
  bind("items.@distinctUnionOfArrays.tags -> text | join(', ')", o, label)
  same(label.text, "sweet, soft, hard")
  o.items[1].name = "date"
  o.items[1].tags:append("brown")
  same(table.concat(seen, " "), "date+nut+pear")
  same(label.text, "sweet, soft, brown, hard")
  local names = value(o, "items.@unionOfObjects.name").v
  fails("follows another one", function() names:append("x") end)
end)

case("P25 an observation follows the list at the end of a path, and its successor", function()
  local o, seen = object { inner = { items = { 1 } } }, {}
  observe(o, "inner.items", function(new, old, change)
    seen[#seen + 1] = (change.kind or "set") .. #new
  end)
  o.inner.items:append(2)
  o.inner = object { items = list { 5, 6, 7 } }
  o.inner.items:append(8)
  same(table.concat(seen, " "), "insertion2 set3 insertion4")
end)

case("P26 sums are exact, whatever was there in between", function()
  local o = object { n = { 0.1, 0.2 } }
  local sum = value(o, "n.@sum")
  local before = sum.v
  o.n:append(1e300)
  o.n:append(-5e-324)
  o.n:remove(3, 2)
  same(sum.v, before)
  o.n:append(math.huge)
  same(sum.v, math.huge)
  o.n:append(-math.huge)
  assert(sum.v ~= sum.v)
  o.n:remove(3, 2)
  same(sum.v, before)
  o.n:set { math.maxinteger, 1 }
  same(sum.v, 2.0 ^ 63)
  o.n:append(-1)
  same(sum.v, math.maxinteger)
  same(math.type(sum.v), "integer")
end)

case("P27 a condition, a trigger and a derived list read operators too", function()
  local o, to = shop(), object { name = "x", seen = "" }
  bind("name -> seen", to, to, { when = function() return #o.items > 2 end })
  local over = object { n = 0 }
  local model = object { items = o.items, flag = 1 }
  bind("flag -> n", model, over, { when = "items.@count" })
  same(over.n, 1)
  local fired = 0
  bind("flag -> n", model, object { n = 0 }, { trigger = trigger.change(o, "items.@sum.price"),
    observe = function() fired = fired + 1 end, initial = false })
  model.flag = 2
  o.items[1].price = 100
  same(fired, 1)
  local orders = list { object { lines = list { 3, 4 } }, object { lines = list { 1 } } }
  local sorted = orders:sorted("lines.@sum")
  same(sorted[1].lines[1], 1)
  orders[2].lines:append(100)
  same(sorted[1].lines[1], 3)
end)
