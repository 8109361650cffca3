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
