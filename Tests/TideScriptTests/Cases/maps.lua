-- Transformers that look values up.

case("map gives each value its result", function()
  local s = dict { state = "ok" }
  local t = object { color = "" }
  bind("state -> color | map(ok: green, 'not ok': \"dark red\", true: yes, 3: three, else: grey)", s, t)
  carries(s, "state", t, "color", { { "not ok", "dark red" }, { true, "yes" }, { 3, "three" },
    { 3.0, "three" }, { "?", "grey" }, { nil, "grey" } })
end)

case("map knows ranges of numbers", function()
  local s = object { load = 0 }
  local t = object { level = "" }
  bind("load -> level | map(..-1: none, 0..59: ok, 60 .. 89.5: high, 90..: full)", s, t)
  carries(s, "load", t, "level", { { -5, "none" }, { 0, "ok" }, { 59, "ok" }, { 60, "high" },
    { 89.5, "high" }, { 1000, "full" } })
  s.load = 59.5
  fails("has no entry for 59.5", error, tostring(errors()[1]))
  same(t.level, "full")
end)

case("map has a way back where results differ", function()
  local s = object { state = "a" }
  local t = object { text = "" }
  bind("state <> text | map(a: Alpha, b: Beta)", s, t)
  t.text = "Beta"
  same(s.state, "b")
  t.text = "Gamma"
  same(s.state, "b")
  fails("no reverse", bind, "state <> text | map(a: x, b: x)", s, t)
  fails("no reverse", bind, "state <> text | map(0..1: x)", s, t)
end)

case("a table is a transformer", function()
  transformer("tone", { ok = "green", warn = "yellow", [otherwise] = "red" })
  local s = object { state = "ok" }
  local t = object { color = "" }
  bind("state -> color | tone", s, t)
  carries(s, "state", t, "color", { { "ok", "green" }, { "warn", "yellow" }, { "bad", "red" } })
  local u = object { color = "" }
  bind("state -> color", s, u, { transform = { bad = "black", [otherwise] = "white" } })
  same(u.color, "black")
end)

case("what is no map is an error", function()
  local s, t = object { a = "" }, object { b = "" }
  fails("map takes values with results", bind, wrong "a -> b | map(x)", s, t)
  fails("map takes values with results", bind, wrong "a -> b | map", s, t)
  fails("twice", bind, wrong "a -> b | map(x: 1, x: 2)", s, t)
  fails("expected \":\" after the range", bind, wrong "a -> b | map(1..2)", s, t)
  fails("has one \"else\"", bind, wrong "a -> b | map(else: 1, else: 2)", s, t)
  fails("takes no \"x: 1\"", bind, wrong "a -> b | prefix(x: 1)", s, t)
  fails("transform and reverse", transformer, "none", {})
  fails("no option \"transfrom\"; did you mean \"transform\"", transformer, "none", { transfrom = print })
  fails("texts, numbers, true and false", transformer, "none", { [s] = 1 })
end)
