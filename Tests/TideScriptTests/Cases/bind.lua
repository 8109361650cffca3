-- B: BIND. T divides by 100 forward and multiplies by 100 in reverse.

transformer "T" {
  transform = function(n) return n / 100 end,
  reverse = function(n) return n * 100 end,
}

local function cars() return object { make = "Fiat" }, object { carMake = "" } end

-- The two, bound by an expression that names the view's property last, or first.
local function bound(expression, isReversed)
  local m, v = cars()
  bind(expression, isReversed and v or m, isReversed and m or v)
  return m, v
end

case("B1 every arrow copies at first", function()
  local m, v = bound "make -> carMake"
  same(v.carMake, "Fiat")
  m, v = bound("carMake <- make", true)
  same(v.carMake, "Fiat")
  m, v = bound "make <> carMake"
  same(v.carMake, "Fiat")
  v.carMake = "Opel"
  same(m.make, "Opel")
end)

case("B2 their later forms copy nothing at first, and follow", function()
  local m, v = bound "make !-> carMake"
  same(v.carMake, "")
  m.make = "Opel"
  same(v.carMake, "Opel")
  m, v = bound("carMake <-! make", true)
  same(v.carMake, "")
  m.make = "Opel"
  same(v.carMake, "Opel")
  m, v = bound "make <!> carMake"
  same(v.carMake, "")
  v.carMake = "Seat"
  same(m.make, "Seat")
end)

-- What a change of the speed leaves of the revolutions, which were 20000.
local function revolutions(expression)
  local m, v = object { rpm = 20000 }, object { speed = 0 }
  bind(expression, m, v)
  same(v.speed, 200)
  v.speed = 50
  return m.rpm
end

case("B3 one way through a transformer leaves the source", function()
  same(revolutions "rpm -> speed | T", 20000)
end)

case("B5 two ways", function()
  same(revolutions "rpm <> speed | T", 5000)
end)

case("B4 a reversed transformer is the mirror image", function()
  local m, v = object { rpm = 20000 }, object { speed = 0 }
  bind("rpm <> speed | T", m, v)
  local n, w = object { rpm = 20000 }, object { speed = 200 }
  bind("speed <> rpm | !T", w, n)
  v.speed = 50
  w.speed = 50
  same(m.rpm, n.rpm)
  m.rpm = 7000
  n.rpm = 7000
  same(v.speed, w.speed)
end)

case("B6 right to left applies the reverse, the later spelling forward", function()
  local m, v = object { rpm = 0 }, object { speed = 200 }
  bind("rpm <- speed | T", m, v)
  same(m.rpm, 20000)
  m, v = object { rpm = 0 }, object { speed = 20000 }
  bind("rpm <~ speed | T", m, v)
  same(m.rpm, 200)
end)

case("B7 ends that come later", function()
  local m, v = cars()
  local b = binding "make -> carMake"
  same(v.carMake, "")
  b:connect(m, v)
  same(v.carMake, "Fiat")
end)

case("B8 new ends get the value, the old ones are let go", function()
  local m, v = cars()
  local n, w = object { make = "Seat" }, object { carMake = "" }
  local b = binding "make -> carMake"
  b:connect(m, v)
  b:connect(n, w)
  same(w.carMake, "Seat")
  m.make = "Opel"
  same(v.carMake, "Fiat")
end)

case("B9 unbinding twice, or before any object, is harmless", function()
  local m, v = cars()
  local b = binding "make -> carMake"
  b:unbind()
  b:connect(m, v)
  b:unbind()
  b:unbind()
end)

case("B10 the same object on both sides", function()
  local o = object { a = 1, b = 2 }
  bind("a -> b", o, o)
  same(o.b, 1)
  o.a = 3
  same(o.b, 3)
end)

case("B11 replacing the parent delivers the new value", function()
  local m, v = object { engine = { rpm = 1 } }, object { rpm = 0 }
  bind("engine.rpm -> rpm", m, v)
  same(v.rpm, 1)
  local old = m.engine
  m.engine = { rpm = 2 }
  same(v.rpm, 2)
  old.rpm = 9
  same(v.rpm, 2)
end)

case("B12 one end gone, the binding ends without fault", function()
  local m = object { make = "Fiat" }
  local v = object { carMake = "" }
  local b = bind("make -> carMake", m, v)
  v = nil
  collectgarbage()
  m.make = "Opel"
  same(#errors(), 0)
end)

case("B13 parse errors have their own message and column", function()
  local m, v = cars()
  fails("column", bind, "make carMake", m, v)
  fails("column", bind, "-> carMake", m, v)
  fails("column", bind, "make ->", m, v)
  fails("nothing", bind, "make -> carMake | nothing", m, v)
end)

case("B15 observe gets object, value and change after the write", function()
  local m, v = cars()
  local seen = {}
  bind("make <> carMake", m, v, { observe = function(o, value, change)
    seen[#seen + 1] = (o == v and "view" or "model") .. ":" .. value
  end })
  m.make = "Opel"
  v.carMake = "Seat"
  same(table.concat(seen, " "), "view:Fiat view:Opel model:Seat")
end)

case("B17 a child view's data object is bound from its parent's", function()
  local m = object { child = { name = "a" } }
  local label = view.label { bindTo = { text = "@superview.dataObject.child.name" } }
  local column = view.column { dataObject = m, label }
  same(label.text, "a")
  m.child = { name = "b" }
  same(label.text, "b")
  same(column.dataObject, m)
end)

case("B18 a cell's bindings survive its data object being replaced", function()
  local label = view.label { bindTo = { text = "@cell.dataObject.name | uppercase" } }
  local field = view.field { bindTo = { text = "<> @cell.dataObject.name" } }
  local first, second = object { name = "a" }, object { name = "b" }
  local cell = view.cell { dataObject = first, view.row { label, field } }
  same(label.text, "A")
  cell.dataObject = second
  same(label.text, "B")
  field.text = "c"
  same(second.name, "c")
  same(first.name, "a")
  same(label.text, "C")
  first.name = "x"
  same(label.text, "C")
  cell.dataObject = nil
  same(label.text, "")
  cell.dataObject = first
  same(label.text, "X")
end)

case("B19 an expression given after the objects, and objects after the expression", function()
  local m, v = cars()
  local b = binding "make <> carMake"
  b:connect(m, v)
  same(v.carMake, "Fiat")
  v.carMake = "Opel"
  same(m.make, "Opel")
end)
