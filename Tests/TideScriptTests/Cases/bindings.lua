-- D: Bindings.

case("D1 adding a binding makes the target equal the source", function()
  local a, b = object { x = "s" }, object { y = "t" }
  bind("x -> y", a, b)
  same(b.y, "s")
end)

case("D2 a source change is followed", function()
  local a, b = object { x = "s" }, object { y = "t" }
  bind("x -> y", a, b)
  a.x = "u"
  same(b.y, "u")
end)

case("D3 setting the same value fires nothing", function()
  local a, runs = object { x = "s" }, 0
  observe(a, "x", function() runs = runs + 1 end)
  a.x = "s"
  same(runs, 0)
  a.x = "t"
  same(runs, 1)
end)

case("D7 unbinding stops it", function()
  local a, b = object { x = "s" }, object { y = "t" }
  bind("x -> y", a, b):unbind()
  a.x = "u"
  same(b.y, "s")
end)

case("D8 string to number at the target end", function()
  local a, b = object { text = "250" }, object { n = 0 }
  bind("text -> n", a, b)
  same(b.n, 250)
  same(math.type(b.n), "integer")
end)

case("D9 transformers chain in the order written", function()
  transformer("plus", function(n) return n + 1 end)
  transformer("twice", function(n) return n * 2 end)
  local a, b = object { n = 3 }, object { n = 0 }
  bind("n -> n | plus | twice", a, b)
  same(b.n, 8)
end)

case("D11 a conversion that fails is listed, held in the binding, and fixed by the next good value", function()
  local a, b = object { x = "a" }, object { y = 2 }
  local made = bind("x -> y", a, b)
  same(b.y, 2)
  same(#errors(), 1)
  same(made.error.code, "conversion")
  a.x = "7"
  same(b.y, 7)
  same(#errors(), 0)
  same(made.error, nil)
end)

case("D12 a transformer that raises leaves the target, or shows the fallback", function()
  local a, b = object { x = "a" }, object { y = "-", z = "-" }
  bind("x -> y", a, b, { transform = function() error("rotten") end })
  bind("x -> z", a, b, { transform = function() error("rotten") end, fallback = "?" })
  same(b.y, "-")
  same(b.z, "?")
  same(#errors(), 2)
end)

case("D13 arguments in an expression follow the value", function()
  transformer("with", function(v, a, b) return v .. a .. tostring(b) end)
  local o = object { a = "s", b = "" }
  bind("a -> b | with(x, 2)", o, o)
  same(o.b, "sx2")
end)

case("D14 an effect's error goes when it runs well again", function()
  local o = object { x = 1 }
  effect(function() if o.x == 2 then error("boom") end end)
  o.x = 2
  same(#errors(), 1)
  o.x = 3
  same(#errors(), 0)
end)

case("D8b string to number at the source", function()
  local a, b = object { text = "250" }, object { n = property {} }
  bind("text -> n | number", a, b)
  same(b.n, 250)
  bind("value -> n", ref(a, "text", "number"), b)
  a.text = "251"
  same(b.n, 251)
end)

case("a two-way binding shows its first value, whatever nil would be taken for", function()
  local Number = class "Number" { n = 3 }
  for _, first in ipairs { 0, "", false, 3 } do
    local deep = object { at = object { n = first } }
    local made = object { at = Number { n = 3 } }
    local end1, end2, end3 = object { v = property {} }, object { v = property {} }, object { v = property {} }
    bind("at.n <> v", deep, end1)
    same(end1.v, first)
    bind("at.n <> v", made, end2)
    same(end2.v, 3)
    local late = object { at = property {} }
    bind("at.n <> v", late, end3)
    same(end3.v, nil)
    late.at = object { n = first }
    same(end3.v, first)
    local later, end4 = object { at = property {} }, object { v = property {} }
    bind("at.n <> v", later, end4, { throttle = 0.001 })
    later.at = object { n = first }
    same(end4.v, first)
  end
end)

case("a two-way binding leaves alone what was entered for the same value", function()
  local o, field = object { at = object { n = 0 } }, object { v = property {} }
  bind("at.n <> v", o, field)
  same(field.v, 0)
  field.v = nil
  same(o.at.n, 0)
  same(field.v, nil)
end)
