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
