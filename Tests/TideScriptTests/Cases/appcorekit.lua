-- A: AppCoreKit.

case("A1 an integer bound to a label's text is converted", function()
  local m, label = object { n = 7 }, view.label {}
  bind("n -> text", m, label)
  same(label.text, "7")
end)

case("A2 a nested target path is followed when its parent appears later", function()
  local m = object { name = "a" }
  local holder = object { child = property {} }
  bind("name -> child.title", m, holder)
  holder.child = { title = "" }
  same(holder.child.title, "a")
  m.name = "b"
  same(holder.child.title, "b")
end)

case("A3 a context opened again with replace clears the old set, with keep adds", function()
  local m, t = object { n = 1 }, object { a = 0, b = 0 }
  context("set", function() bind("n -> a", m, t) end)
  context("set", { policy = "keep" }, function() bind("n -> b", m, t) end)
  m.n = 2
  same(t.a + t.b, 4)
  context("set", function() bind("n -> b", m, t) end)
  m.n = 3
  same(t.a, 2)
  same(t.b, 3)
end)

case("A4 nested contexts restore the outer one; an unbalanced finish is an error", function()
  local m, t = object { n = 1 }, object { a = 0, b = 0 }
  context("outer", function()
    context("inner", function() bind("n -> a", m, t) end)
    bind("n -> b", m, t)
  end)
  context.clear("inner")
  m.n = 5
  same(t.a, 1)
  same(t.b, 5)
  context.clear("outer")
  m.n = 6
  same(t.b, 5)
  fails("context.begin", context.finish)
end)

case("A5 an observation without initial is not called at first; with it, once", function()
  local m, calls = object { n = 1 }, {}
  observe(m, "n", function(new, old) calls[#calls + 1] = "a" .. new end)
  observe(m, "n", function(new, old) calls[#calls + 1] = "b" .. new end, { initial = true })
  same(table.concat(calls, " "), "b1")
  m.n = 2
  same(table.concat(calls, " "), "b1 a2 b2")
end)

case("A6 list insertion and removal deliver objects and indexes", function()
  local l, seen = list { "a", "b" }, {}
  l:observe(function(change)
    seen[#seen + 1] = change.kind .. change.indexes[1] .. change.objects[1]
  end)
  l:insert(2, "x")
  l:remove(1)
  l[1] = "y"
  l:move(1, 2)
  same(table.concat(seen, " "), "insertion2x removal1a replacement1y move1y")
  same(table.concat(l:totable(), ","), "b,y")
end)

case("A8 any-property observation names the property", function()
  local m, seen = object { a = 1, b = "x" }, {}
  observe(m, function(name, new, old) seen[#seen + 1] = name .. tostring(old) .. tostring(new) end)
  m.b = "y"
  m.a = 2
  same(table.concat(seen, " "), "bxy a12")
end)

case("A9 notifications by name, by name and sender", function()
  local sender, other, seen = object { n = 1 }, object { n = 2 }, {}
  notification.observe("saved", function(note) seen[#seen + 1] = "any" .. note.sender.n end)
  notification.observe("saved", sender, function(note) seen[#seen + 1] = "one" .. note.info end)
  notification.post("saved", sender, "!")
  notification.post("saved", other, "?")
  notification.post("other", sender)
  same(table.concat(seen, " "), "any1 one! any2")
end)

case("A10 control events with and without an immediate call", function()
  local button, seen = view.button { title = "x" }, {}
  on(button, "touchUpInside", function() seen[#seen + 1] = "later" end)
  on(button, "touchUpInside", function() seen[#seen + 1] = "now" end, { initial = true })
  same(table.concat(seen, " "), "now")
end)

case("A11 several contexts for one owner, by name", function()
  local owner, t = object { n = 1 }, object { a = 0, b = 0 }
  context(owner, "one", function() bind("n -> a", owner, t) end)
  context(owner, "two", function() bind("n -> b", owner, t) end)
  context.clear(owner, "one")
  owner.n = 2
  same(t.a, 1)
  same(t.b, 2)
end)

case("A7 a context whose owner is gone clears itself", function()
  local source, seen = object { n = 1 }, {}
  do
    local owner = object { m = 1 }
    context(owner, function() observe(source, "n", function(n) seen[#seen + 1] = n end) end)
    source.n = 2
    owner = nil
  end
  -- A script's collection is a bounded step; many make a whole cycle.
  for _ = 1, 2000 do
    collectgarbage()
    object {}
  end
  source.n = 3
  same(seen[1], 2)
  same(#seen, 1)
end)

case("A7b the source or the target gone: unbound", function()
  local source, target = object { n = 1 }, object { n = 0 }
  do
    local gone = object { n = 5 }
    bind("n -> n", gone, object { n = 0 })
    bind("n -> n", gone, target)
    bind("n -> n", source, object { n = 0 })
  end
  bind("n -> n", source, target)
  for _ = 1, 2000 do
    collectgarbage()
    object {}
  end
  same(#bindings(), 1)
  source.n = 9
  same(target.n, 9)
  same(#errors(), 0)
end)

case("A10b control events are heard once for each call, until they are cancelled", function()
  local button, seen = view.button {}, {}
  local handler = on(button, "touchUpInside", function(sender, event)
    seen[#seen + 1] = event.name .. (sender == button and "!" or "?")
  end, { initial = true })
  send(button, "touchUpInside")
  handler:cancel()
  send(button, "touchUpInside")
  same(table.concat(seen, " "), "touchUpInside! touchUpInside!")
end)
