-- How errors read.

local function message(fn, ...)
  local isGood, e = pcall(fn, ...)
  assert(not isGood, "nothing was raised")
  return (tostring(e):gsub("^.-messages%.lua:%d+: ", ""))
end

case("M1 a listed error reads as its place, number and message, and is plain data", function()
  local a, b = object { x = "abc" }, object { y = 0 }
  bind("x -> y", a, b)
  local e = errors()[1]
  assert(tostring(e):find("messages.lua:%d+: E0106: cannot convert \"abc\""), tostring(e))
  same(tostring(e), e.location .. ": " .. e.number .. ": " .. e.message)
  local kept = object { list = errors(), one = e }
  same(kept.list[1].code, "conversion")
  same(kept.one.message, e.message)
end)

case("M2 a class counts the arguments that are written", function()
  local P = class "P" { name = "" }
  same(message(function() P(5) end), "bad argument #1 to 'P' (table expected, got number)")
  same(message(function() P "x" end), "bad argument #1 to 'P' (table expected, got string)")
end)

case("M3 nil stands for itself, and other values for what they are", function()
  local P = class "P" { name = "", n = 0 }
  local p = P {}
  same(message(function() p["name"] = nil end), "P.name holds string, not nil")
  same(message(function() p["name"] = 5 end), "P.name holds string, not integer (5)")
  same(message(function() p.n = print end), "P.n holds number, not function")
  same(message(function() p.n = P end), "P.n holds number, not class P")
  same(message(function() p.n = setmetatable({}, {}) end), "P.n holds number, not table")
  same(message(function() p.n = coroutine.create(print) end), "P.n holds number, not coroutine")
  same(message(function() p.n = list {} end), "P.n holds number, not object (list)")
end)

case("M4 an article goes with its noun", function()
  local o, Item = object {}, class "Item" {}
  same(message(function() return o + 1 end),
    "attempt to perform arithmetic on a data object value (upvalue 'o')")
  local i = Item {}
  same(message(function() return -i end),
    "attempt to perform arithmetic on a data object (Item) value (upvalue 'i')")
  assert(message(function() bind("x -> y", object { x = 1 }, object { y = 1 }, { when = o }) end)
    :find("not an object$"))
  assert(message(function() bind("x -> y", object { x = 1 }, object { y = 1 }, { when = i }) end)
    :find("not an Item$"))
  local image = view.image {}
  assert(message(function() image:add(view.label {}) end):find("^an image takes no subviews"))
end)

case("M4a what has names is told so by what is no name", function()
  same(message(function() return models[{}] end), "models has names, not a table")
  same(message(function() return views[5] end), "views has names, not 5")
  same(message(function() return view[5] end), "view has names, not 5")
  same(message(function() return hot[5] end), "hot has names, not 5")
  local b = bind("x -> y", object { x = 1 }, object { y = 1 })
  same(message(function() return b[5] end), "a binding has names, not 5")
end)

case("M5 one mistake in several rows is one error, and gone with the last", function()
  local rows = list { { n = 1 }, { n = 2 }, { n = 3 } }
  local function show(path, row)
    return bind(path .. " -> text", row, view.label {}, { fallback = "" })
  end
  local class = class "Row" { inner = property {} }
  local objects, bound = {}, {}
  for i = 1, 3 do
    objects[i] = class { inner = object { n = i } }
    bound[i] = show("inner.nn", objects[i])
  end
  same(#errors(), 1)
  bound[1]:unbind()
  bound[2]:unbind()
  same(#errors(), 1)
  bound[3]:unbind()
  same(#errors(), 0)
  show("inner.nn", objects[1])
  same(#errors(), 1)
end)

case("M6 classes, tasks and triggers are themselves after a property has held them", function()
  local P = class "P" { name = "a" }
  local o = object { kind = P, when = trigger.manual(), task = spawn(function() end) }
  assert(o.kind == P)
  same(o.kind {}.name, "a")
  same(type(o.task.state), "string")
end)
