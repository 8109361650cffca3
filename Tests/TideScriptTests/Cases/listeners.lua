-- Observers that are functions of a script, however they are called.

local function fruit() return object { n = 1, m = 1, s = "a", any = property {} } end

case("L1 an observer gets as much as it names", function()
  local o, one, two, three, all = fruit()
  observe(o, "n", function(new) one = new end)
  o.n = 2
  same(one, 2)
  observe(o, "n", function(new, old) two = old .. new end)
  observe(o, "n", function(new, old, change) three = change.path end)
  observe(o, "n", function(...) all = select("#", ...) end)
  o.n = 3
  same(one, 3)
  same(two, "23")
  same(three, "n")
  same(all, 3)
  local none = 0
  observe(o, "m", function() none = none + 1 end)
  o.m = 2
  o.m = 2
  same(none, 1)
end)

case("L2 values of every kind reach an observer, old and new", function()
  local o, seen = fruit(), {}
  observe(o, "any", function(new, old) seen[#seen + 1] = tostring(old) .. ">" .. tostring(new) end)
  for _, value in ipairs { 1, 1.5, "x", true, "y", false } do o.any = value end
  o.any = nil
  local p = object { k = 1 }
  o.any = p
  o.any = 2
  same(table.concat(seen, " "),
    "nil>1 1>1.5 1.5>x x>true true>y y>false false>nil "
    .. "nil>object { k = 1 } object { k = 1 }>2")
end)

case("L3 an observer may write what it observes, and others", function()
  local o, order = fruit(), {}
  observe(o, "n", function(new)
    order[#order + 1] = "n" .. new
    if new < 4 then o.n = new + 1 end
    o.m = new
  end)
  observe(o, "m", function(new) order[#order + 1] = "m" .. new end)
  o.n = 2
  same(o.n, 4)
  same(table.concat(order, " "), "n2 n3 m3 n4 m4")
end)

case("L4 what an observer makes belongs to the context in which it was registered", function()
  local o, late = fruit(), 0
  context("mine", function()
    observe(o, "n", function() observe(o, "m", function() late = late + 1 end) end)
  end)
  o.n = 2
  o.m = 2
  same(late, 1)
  context.clear("mine")
  o.m = 3
  o.n = 4
  o.m = 5
  same(late, 1)
end)

case("L5 a context that an observer begins ends with it", function()
  local o, seen = fruit(), 0
  observe(o, "n", function()
    context.begin("inner")
    observe(o, "m", function() seen = seen + 1 end)
  end)
  o.n = 2
  fails("without a context.begin()", context.finish)
  o.m = 2
  same(seen, 1)
  context.clear("inner")
  o.m = 3
  same(seen, 1)
end)

case("L6 an observer that fails is listed, and the write stands", function()
  local o = fruit()
  local ending = observe(o, "n", function(new) if new == 2 then error("no twos", 0) end end)
  o.n = 2
  same(o.n, 2)
  same(#errors(), 1)
  same(errors()[1].message:match("no twos"), "no twos")
  o.n = 3
  ending:cancel()
  o.n = 2
  same(o.n, 2)
end)

case("L7 an observer may end itself, its object, or its context", function()
  local o, seen, ending = fruit(), 0
  ending = observe(o, "n", function() seen = seen + 1 ending:cancel() end)
  o.n = 2
  o.n = 3
  same(seen, 1)
  context("gone", function()
    observe(o, "m", function() seen = seen + 1 context.clear("gone") observe(o, "s", print) end)
  end)
  o.m = 2
  o.m = 3
  same(seen, 2)
end)

case("L8 an observer cannot wait", function()
  local o, message = fruit()
  observe(o, "n", function() local _ _, message = pcall(coroutine.yield) end)
  local co = coroutine.wrap(function() o.n = 2 return "done" end)
  same(co(), "done")
  same(message:find("yield") ~= nil, true)
end)

case("L9 a method that fails in an observer leaves no batch open", function()
  local Box = class "Box" { v = 0, boom = function(self) self.v = 1 error("boom", 0) end }
  local o, box, seen = fruit(), Box {}, 0
  observe(o, "n", function() box:boom() end)
  observe(box, "v", function() seen = seen + 1 end)
  o.n = 2
  same(seen, 1)
  box.v = 5
  same(seen, 2)
end)

case("L10 an observer waits for bindings and other observers to see one state", function()
  local o, p, seen = fruit(), fruit()
  bind("n -> n", o, p)
  observe(o, "n", function(new) seen = new .. p.n end)
  o.n = 7
  same(seen, "77")
end)

case("L11 in an effect, a write is told after the effect", function()
  local o, p, order = fruit(), fruit(), {}
  observe(p, "n", function(new) order[#order + 1] = "told " .. new end)
  effect(function() p.n = o.n * 2 order[#order + 1] = "ran" end)
  o.n = 5
  same(table.concat(order, ", "), "ran, told 2, ran, told 10")
end)
