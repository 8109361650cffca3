-- Why a value is what it is: `why(o, path)`, this value's change first, the origin last.

-- The line of the caller, as `why` gives it.
local function here(offset)
  local _, message = pcall(error, "", 3)
  local location = message:match("^(.-:%d+):")
  local file, line = location:match("^(.*):(%d+)$")
  return file .. ":" .. (math.tointeger(line) + (offset or 0))
end

local function told(cause, expected)
  for key, value in pairs(expected) do same(cause[key], value) end
end

case("W1 a write is told with its line, the old and the new value", function()
  local o = object { name = "fig", size = 1 }
  o.name = "pear"
  local line = here(-1)
  local chain = why(o, "name")
  same(#chain, 1)
  told(chain[1], {
    path = "object.name", old = "fig", new = "pear", cause = "write", location = line })
end)

case("W2 what was never written stands as it was made", function()
  local o = object { name = "fig" }
  local line = here(-1)
  local chain = why(o, "name")
  same(#chain, 1)
  same(chain[1].cause, "initial")
  same(chain[1].old, nil)
  same(chain[1].location, line)
end)

case("W3 a chain of bindings leads to the write", function()
  local a, b, c = object { x = 1 }, object { y = 0 }, object { z = "" }
  bind("x -> y", a, b)
  local first = here(-1)
  bind("y -> z", b, c)
  local second = here(-1)
  a.x = 5
  local line = here(-1)
  local chain = why(c, "z")
  same(#chain, 3)
  told(chain[1], { new = "5", old = "1", cause = "binding", location = second })
  same(chain[2].location, first)
  told(chain[3], { cause = "write", location = line, old = 1 })
end)

case("W4 of what a computed value read, the latest change counts", function()
  local o = object {
    first = "Ada", last = "L",
    full = computed(function(self) return self.first .. " " .. self.last end),
  }
  same(o.full, "Ada L")
  o.first = "Eve"
  o.last = "M"
  local line = here(-1)
  local chain = why(o, "full")
  same(#chain, 2)
  told(chain[1], { cause = "computed", new = "Eve M" })
  told(chain[2], { path = "object.last", location = line })
  o.first = "Bo"
  same(why(o, "full")[2].path, "object.first")
end)

case("W5 what an observer writes was caused by what it observes", function()
  local a, b = object { x = 1 }, object { y = 0 }
  local line
  observe(a, "x", function(new)
    b.y = new * 2
    line = here(-1)
  end)
  a.x = 4
  local origin = here(-1)
  local chain = why(b, "y")
  same(#chain, 2)
  told(chain[1], { location = line, old = 0, new = 8 })
  told(chain[2], { path = "object.x", location = origin })
end)

case("W6 so was what an effect writes", function()
  local a, b = object { x = 1, other = 1 }, object { y = 0 }
  effect(function() b.y = a.x + a.other end)
  a.x = 4
  a.other = 2
  local chain = why(b, "y")
  same(#chain, 2)
  same(chain[2].path, "object.other")
end)

case("W7 edits of a list have their line", function()
  local o = object { rows = { 1, 2 } }
  same(why(o, "rows")[1].cause, "initial")
  o.rows:append(3)
  local line = here(-1)
  local chain = why(o, "rows")
  told(chain[1], { cause = "edit", location = line })
  local label = object { text = "" }
  bind("rows.@count -> text", o, label)
  o.rows:remove(1)
  line = here(-1)
  chain = why(label, "text")
  same(chain[1].cause, "binding")
  told(chain[2], { cause = "edit", location = line })
end)

case("W8 a longer path is followed at every step", function()
  local person = object { address = { city = "Rome" } }
  local label = object { text = "" }
  bind("address.city -> text", person, label)
  person.address.city = "Oslo"
  local chain = why(label, "text")
  told(chain[2], { path = "object.city", old = "Rome" })
  person.address = object { city = "Bern" }
  local line = here(-1)
  chain = why(label, "text")
  same(chain[1].new, "Bern")
  told(chain[2], { path = "object.address", location = line })
end)

case("W9 a two-way binding is told from the end that was written", function()
  local a, b = object { x = 1 }, object { y = 0 }
  bind("x <> y", a, b)
  b.y = 7
  local line = here(-1)
  local chain = why(a, "x")
  same(#chain, 2)
  same(chain[1].cause, "binding")
  told(chain[2], { path = "object.y", location = line })
  a.x = 8
  chain = why(a, "x")
  same(#chain, 1)
  same(chain[1].old, 7)
end)

case("W10 what a person typed is input", function()
  local person = model "person" { name = "" }
  local field = view.field { id = "name", bindTo = { text = "<> person.name" } }
  show(view.column { field })
  keys("Tab x")
  local chain = why(person, "name")
  same(chain[1].cause, "binding")
  told(chain[2], { path = "name.text", cause = "input", act = 'typing into the field "name"' })
  same(chain[2].location, nil)
end)

case("W11 what a handler writes is a write with its line", function()
  local line
  local o = object { n = 0 }
  local button = view.button { id = "more", title = "More", on = { touchUpInside = function()
    o.n = o.n + 1
    line = here(-1)
  end } }
  show(view.column { button })
  keys("Tab Enter")
  same(o.n, 1)
  local chain = why(o, "n")
  same(#chain, 1)
  told(chain[1], { cause = "write", location = line })
end)

case("W12 long text is told by its beginning", function()
  local o = object { text = ("ü"):rep(40) }
  o.text = "short"
  same(why(o, "text")[1].old, ("ü"):rep(16) .. "…")
  o.text = "exactly thirty-two bytes long ok"
  o.text = "x"
  same(why(o, "text")[1].old, "exactly thirty-two bytes long ok")
  o.text = "a\0\xff"
  o.text = "x"
  same(why(o, "text")[1].old, "a\0\xff")
end)

case("W13 objects are told as themselves while they live", function()
  local one, two = object { n = 1 }, object { n = 2 }
  local o = object { held = property {} }
  o.held = one
  o.held = two
  same(why(o, "held")[1].old, one)
  same(why(o, "held")[1].new, two)
end)

case("W14 a write through other functions has the script's line", function()
  local o = object { n = 0, checked = property { default = 0, validate = function(_, v) return v end } }
  pcall(function()
    o.n = 1
  end)
  same(why(o, "n")[1].location, here(-2))
  o.checked = 5
  same(why(o, "checked")[1].location, here(-1))
  local set = load("local o = ... o.n = 2", "=given")
  set(o)
  same(why(o, "n")[1].location, "given:1")
  coroutine.wrap(function() o.n = 3 end)()
  same(why(o, "n")[1].location, here(-1))
end)

case("W15 lines stay right when code comes and goes", function()
  local o = object { n = 0 }
  for i = 1, 300 do
    local text = ("\n"):rep(i % 50) .. "local o, v = ... o.n = v"
    load(text, "=made" .. i % 7)(o, i)
    same(why(o, "n")[1].location, "made" .. i % 7 .. ":" .. i % 50 + 1)
    if i % 20 == 0 then collectgarbage("step") end
  end
end)

case("W16 a binding that has ended is where the chain ends", function()
  local a, b = object { x = 1 }, object { y = 0 }
  local made = bind("x -> y", a, b)
  a.x = 2
  made:unbind()
  local chain = why(b, "y")
  same(#chain, 1)
  same(chain[1].cause, "binding")
  same(chain[1].location, nil)
  b.y = 3
  same(why(b, "y")[1].cause, "write")
end)

case("W17 mistakes are named", function()
  local o = object { name = "fig" }
  fails('no property "nmae"; did you mean "name"?', function() why(o, "nmae") end)
  fails("string", function() why(o) end)
  fails("data object", function() why("o", "name") end)
  same(#why(object { next = property {} }, "next.name"), 0)
end)

case("W18 a ring of observers ends", function()
  local a, b = object { x = 0 }, object { y = 0 }
  observe(a, "x", function(new) b.y = math.min(new, 5) end)
  observe(b, "y", function(new) a.x = math.min(new + 1, 5) end)
  a.x = 1
  same(a.x, 5)
  assert(#why(a, "x") >= 2)
end)

case("W19 a chain ends with the press of a key that selected", function()
  local rows = list { object { name = "Ann" }, object { name = "Bob" } }
  local people = controller.list { name = "people", content = rows, selectionIndex = 1 }
  local label = view.label { id = "city", bindTo = { text = "people.selection.name" } }
  show(view.column {
    view.list { id = "names", height = 3, items = people.arrangedObjects,
      bindTo = { selectedIndex = "<> people.selectionIndex" } },
    label,
  })
  keys("Tab Down")
  same(label.text, "Bob")
  local chain = why(label, "text")
  told(chain[#chain], { path = "names.selectedIndex", old = 1, new = 2, cause = "input",
    act = 'a press of Down on the list "names"' })
end)

case("W20 a write in a handler names what a person did", function()
  local o = object { n = 0 }
  show(view.column { view.button { title = "More", on = { touchUpInside = function() o.n = 1 end } } })
  keys("Tab Enter")
  local chain = why(o, "n")
  told(chain[1], { cause = "write", act = 'a press of Enter on the button "More"' })
  o.n = 2
  same(why(o, "n")[1].act, nil)
end)

case("W21 what has come from elsewhere is told by its name", function()
  local weather = resource(function() sleep(1) return { degrees = 7 } end, { name = "weather" })
  local label = object { text = "" }
  bind("value.degrees -> text", weather, label)
  advance(2)
  same(label.text, "7")
  local chain = why(label, "text")
  told(chain[#chain], { path = "weather.value", act = "the fetch of weather" })
end)

case("W22 a list that follows another is told by it, and no row is", function()
  local shop = model "shop" { least = 1, rows = list { object { n = 1 }, object { n = 2 } } }
  local many = shop.rows:filter(function(row) return row.n > shop.least end)
  local label = object { text = "" }
  bind("@count -> text", many, label)
  same(label.text, "1")
  shop.least = 0
  local line = here(-1)
  shop.rows[2].n = 3
  same(label.text, "2")
  local chain = why(label, "text")
  same(chain[2].path, "filter of shop.rows")
  told(chain[#chain], { path = "shop.least", old = 1, new = 0, cause = "write", location = line })
  for _, link in ipairs(chain) do assert(not link.path:find("object.n", 1, true), link.path) end
end)

case("W23 a derived list leads to the row that has changed it, list by list", function()
  local Row = class "Row" { name = "", n = 0 }
  local shop = model "shop" { rows = list { Row { name = "a", n = 1 }, Row { name = "b", n = 2 } } }
  local filtered = shop.rows:filter(function(row) return row.n > 1 end)
  local sorted = filtered:sorted("name")
  local shown = view.list { id = "shown", items = sorted:map(function(row) return row.name .. row.n end) }
  local names = view.label { id = "names", text = function()
    local text = ""
    for _, row in ipairs(sorted) do text = text .. row.name end
    return text
  end }
  show(view.column { shown, names, view.label { id = "sum", bindTo = { text = "shop.rows.@sum.n" } } })
  local function paths(chain)
    local found = {}
    for _, link in ipairs(chain) do found[#found + 1] = link.path end
    return table.concat(found, ", ")
  end
  -- From the start, a list leads to the one that it is derived from.
  same(paths(why(shown, "items")),
    "shown.items, map of shop.rows, order of shop.rows, filter of shop.rows, shop.rows")
  shop.rows[1].n = 5
  local line = here(-1)
  local chain = why(shown, "items")
  same(paths(chain),
    "shown.items, map of shop.rows, order of shop.rows, filter of shop.rows, Row.n")
  told(chain[#chain], { old = 1, new = 5, cause = "write", location = line })
  same(paths(why(names, "text")), "names.text, order of shop.rows, filter of shop.rows, Row.n")
  chain = why(views.sum, "text")
  told(chain[#chain], { path = "Row.n", location = line })
  -- A change that concerns the last list alone.
  shop.rows[2].n = 7
  same(paths(why(shown, "items")), "shown.items, map of shop.rows, Row.n")
  shop.rows:append(Row { name = "c", n = 9 })
  line = here(-1)
  chain = why(shown, "items")
  same(paths(chain),
    "shown.items, map of shop.rows, order of shop.rows, filter of shop.rows, shop.rows")
  told(chain[#chain], { cause = "edit", location = line })
end)

case("W24 a property that holds a derived list leads on to its rows", function()
  local m = model "m" { rows = list { object { n = 1 } }, big = list {} }
  m.big = m.rows:filter(function(row) return row.n > 1 end)
  local label = view.label { text = function() return #m.big .. " rows" end }
  show(label)
  m.rows[1].n = 3
  local line = here(-1)
  for _, chain in ipairs { why(m, "big"), why(label, "text") } do
    told(chain[#chain], { path = "object.n", old = 1, new = 3, location = line })
    same(chain[#chain - 1].path, "m.big")
  end
end)
