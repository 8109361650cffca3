-- Both ends of a two-way binding written in one batch: the later write wins, as outside of one.

case("the later of two writes in a batch wins at either end", function()
  local a, b = object { n = 1 }, object { n = 1 }
  bind("n <> n", a, b)
  batch(function() a.n = 2 b.n = 3 end)
  same(a.n .. " " .. b.n, "3 3")
  batch(function() b.n = 5 a.n = 4 end)
  same(a.n .. " " .. b.n, "4 4")
  batch(function() a.n = 6 b.n = 7 a.n = 8 end)
  same(a.n .. " " .. b.n, "8 8")
  batch(function() b.n = 9 a.n = 10 b.n = 11 end)
  same(a.n .. " " .. b.n, "11 11")
end)

case("so it is through transformers, chains and methods", function()
  local a, b = object { n = 1 }, object { n = 1 }
  bind("n <> n | scale(2)", a, b)
  batch(function() a.n = 2 b.n = 10 end)
  same(a.n .. " " .. b.n, "5 10")
  batch(function() b.n = 12 a.n = 7 end)
  same(a.n .. " " .. b.n, "7 14")
  local x, y, z = object { n = 1 }, object { n = 1 }, object { n = 1 }
  bind("n <> n", x, y)
  bind("n <> n", y, z)
  batch(function() x.n = 2 z.n = 3 end)
  same(x.n .. y.n .. z.n, "333")
  batch(function() z.n = 6 y.n = 7 x.n = 8 end)
  same(x.n .. y.n .. z.n, "888")
  local o = object { x = 1, y = 1, go = function(self) self.x = 2 self.y = 3 end }
  bind("x <> y", o, o)
  o:go()
  same(o.x .. o.y, "33")
end)

case("so it is with views, dicts, references and paths", function()
  local model = model "m" { n = "x" }
  local field = view.field { bindTo = { text = "<> m.n" } }
  batch(function() model.n = "m" field.text = "v" end)
  same(model.n .. field.text, "vv")
  batch(function() field.text = "v2" model.n = "m2" end)
  same(model.n .. field.text, "m2m2")
  local d, slider = dict { k = 1 }, view.slider { minimum = 0, maximum = 100 }
  bind("k <> value", d, slider)
  batch(function() d.k = 20 slider.value = 30 end)
  same(d.k, 30)
  batch(function() slider.value = 40 d.k = 50 end)
  same(slider.value, 50)
  local a, e = object { n = 1 }, object { m = 0 }
  local r = ref(a, "n")
  bind("value <> m", r, e)
  batch(function() r.value = 1 e.m = 2 end)
  same(a.n .. e.m, "22")
  batch(function() e.m = 4 a.n = 3 end)
  same(a.n .. e.m, "33")
  local root, b = object { p = object { n = 1 } }, object { n = 0 }
  bind("p.n <> n", root, b)
  batch(function() b.n = 5 root.p = object { n = 7 } end)
  same(root.p.n .. b.n, "77")
  batch(function() root.p = object { n = 9 } b.n = 6 end)
  same(root.p.n .. b.n, "66")
end)
