-- Objects, lists and maps as scripts make them.

case("O1 a long chain of objects is let go", function()
  local first = object { p = property {} }
  local last = first
  for _ = 1, 20000 do
    local next = object { p = property {} }
    last.p = next
    last = next
  end
end)

case("O2 a table that contains itself is refused", function()
  local o, c = object { p = property {} }, {}
  c.me = c
  fails("contains itself", function() o.p = c end)
end)

case("O3 nothing of a table is lost in silence", function()
  fails("without gaps", list, { a = 1 })
  fails("found the key 1", object, { x = { 1, 2, a = 3 } })
  fails("no nil", function() list { 1 }:append(nil) end)
end)

case("O4 lists are read and written like tables", function()
  local l = list { "a", "b" }
  same(l[1.0], "a")
  l[2.0] = "c"
  l[#l + 1] = "d"
  local seen = {}
  for i, v in ipairs(l) do seen[i] = v end
  same(table.concat(seen, ","), "a,c,d")
  l[#l] = nil
  same(#l, 2)
end)

case("O5 a dict's missing key is nil, and a key set to nil is gone", function()
  local d = dict { a = 1 }
  same(d.b, nil)
  d.b = 2
  d.a = nil
  local keys = {}
  for k in pairs(d) do keys[#keys + 1] = k end
  same(table.concat(keys, ","), "b")
  local t = object { v = property {} }
  bind("q -> v", d, t)
  d.q = 5
  same(t.v, 5)
end)

case("O6 declared properties are checked when they are declared", function()
  fails("cannot have", property, { type = "string", default = 1 })
  fails("cannot have", property, { type = "integer", default = "abc" })
  fails("not in the enum", property, { enum = { "a" }, default = "z" })
  same(object { s = property { type = "string", nullable = false } }.s, "")
end)

case("O7 classes inherit, and call up", function()
  local Base = class "Base" { n = 1, init = function(self) self.n = self.n + 1 end,
    greet = function(self) return "base " .. self.n end }
  local Sub = class("Sub", Base) { m = 2, greet = function(self) return "sub " .. Base.greet(self) end }
  local o = Sub { m = 5 }
  same(o.n, 2)
  same(o:greet(), "sub base 2")
  same(isa(o, Base), true)
  same(isa(o, "Sub"), true)
  same(isa(Base {}, Sub), false)
end)

case("O8 objects of one class do not share their tables", function()
  local C = class "C" { items = {}, at = { x = 1 } }
  local a, b = C {}, C {}
  a.items:append("one")
  a.at.x = 9
  same(#b.items, 0)
  same(b.at.x, 1)
  local p, q = object { at = { x = 1 } }, object { at = { x = 2 } }
  same(p.at.x + q.at.x, 3)
end)

case("O9 computed values can be read from any depth at first", function()
  local o = object { c0 = 1 }
  local fields = { c0 = 1 }
  for i = 1, 100 do
    fields["c" .. i] = computed(function(self) return self["c" .. (i - 1)] + 1 end)
  end
  o = object(fields)
  same(o.c100, 101)
  for i = 1, 100 do same(o["c" .. i], i + 1) end
  o.c0 = 2
  same(o.c100, 102)
end)

case("O10 the API's tables belong to all", function()
  local api = require "tidelock"
  fails("", function() api.bind = 1 end)
  fails("ids", function() views.x = 5 end)
  same(type(api.bind), "function")
  for _, name in ipairs { "string", "table", "math", "utf8", "coroutine", "_G" } do
    same(require(name), _G[name])
  end
end)

case("O11 misspelt options are refused", function()
  local o, nothing = object { x = 1 }, function() end
  fails("did you mean \"policy\"", context, "x", { polcy = "keep" }, nothing)
  fails("did you mean \"initial\"", observe, o, "x", nothing, { inital = true })
  fails("did you mean \"initial\"", function() list {}:observe(nothing, { inital = true }) end)
  fails("did you mean \"initial\"", on, view.button {}, "touchUpInside", nothing, { inital = true })
  fails("did you mean \"initial\"", bind, "x -> x", o, o, { inital = true })
end)

case("a model or a class without a name is told how to write it", function()
  fails('model "name" { … }; without one write object', model, { a = 1 })
  fails('class "Name"', class, { a = 1 })
end)

case("OB1 each object of a class has lists, dicts and objects without a name of its own", function()
  local B = class "B" {
    rows = list { { n = 1 } }, map = dict { a = list { 1 } }, inner = object { n = 1, l = { 1 } },
    declared = property { default = list {} }, plain = {},
  }
  local x, y = B {}, B {}
  for _, name in ipairs { "rows", "map", "inner", "declared", "plain" } do
    assert(x[name] ~= y[name], name)
  end
  x.rows:append(2)
  x.rows[1].n = 5
  x.map.a:append(2)
  x.inner.n = 7
  x.inner.l:append(2)
  x.declared:append(1)
  same(#y.rows, 1)
  same(y.rows[1].n, 1)
  same(#y.map.a, 1)
  same(y.inner.n, 1)
  same(#y.inner.l, 1)
  same(#y.declared, 0)
  same(#B {}.rows, 1)
  local Derived = class("Derived", B) {}
  assert(Derived {}.rows ~= x.rows)
end)

case("OB2 what has a name, a class or a life of its own is shared", function()
  local all, Team = list { 1, 2, 3 }, class "Team" { name = "" }
  local team, big = Team { name = "a" }, all:filter(function(n) return n > 1 end)
  local main = model "ob2" { n = 1 }
  local label = view.label {}
  local Member = class "Member" { team = team, big = big, main = main, label = label }
  local a, b = Member {}, Member {}
  assert(a.team == team and b.team == team and a.big == big and a.main == main)
  assert(a.label == label)
  all:append(4)
  same(#b.big, 3)
end)

case("OB3 in an object and a model a list is the one that was given", function()
  local given = list {}
  local o, m = object { l = given, p = property { default = given } }, model "ob3" { l = given }
  assert(o.l == given and o.p == given and m.l == given)
end)

case("OB4 nil that is bound to a plain field gives what it held at first", function()
  local s = object {
    v = property { default = 5, nullable = true }, t = property { default = "x", nullable = true },
  }
  local o = object { n = 3, s = "first", b = true, i = property { default = 4, type = "integer", nullable = false } }
  local other = object { n = 8, s = "second", b = false, i = property { default = 4, type = "integer", nullable = false } }
  for _, target in ipairs { o, other } do
    bind("v -> n", s, target)
    bind("v -> i", s, target)
    bind("t -> s", s, target)
    bind("v -> b", s, target)
  end
  same(o.n, 5)
  s.v, s.t = nil, nil
  same(#errors(), 0)
  same(o.n, 3)
  same(o.s, "first")
  same(o.b, true)
  same(o.i, 4)
  same(other.n, 8)
  same(other.s, "second")
  same(other.b, false)
  local nested = object { inner = { n = 7 } }
  bind("v -> inner.n", s, nested)
  same(nested.inner.n, 7)
  local r = ref(o, "n", function(v) return v end)
  s.v = 9
  same(o.n, 9)
  same(#errors(), 0)
end)

case("an init calls the one that it replaces", function()
  local Base = class "Base" { n = 1, init = function(self) self.n = self.n + 1 end }
  local Middle = class("Middle", Base) {}
  local Sub = class("Sub", Middle) { init = function(self) Middle.init(self) self.n = self.n * 10 end }
  same(Sub {}.n, 20)
  same(Middle {}.n, 2)
  fails("has no method", function() return class "Plain" {}.init end)
  -- It is no method of objects.
  fails("has no property \"init\"", function() return Sub {}.init end)
end)
