-- Being told before a write: `observe(o, path, fn, { prior = true })`.

local function recorder()
  local seen = {}
  return seen, function(new, old, change)
    seen[#seen + 1] = ("%s%s>%s"):format(change.prior and "before " or "", tostring(old), tostring(new))
  end
end

case("P1 prior tells before the write and again after it", function()
  local o = object { name = "fig" }
  local seen = {}
  observe(o, "name", function(new, old, change)
    seen[#seen + 1] = { new = new, old = old, prior = change.prior, held = o.name }
  end, { prior = true })
  o.name = "pear"
  same(#seen, 2)
  same(seen[1].prior, true)
  same(seen[1].held, "fig")
  same(seen[1].new, "pear")
  same(seen[1].old, "fig")
  same(seen[2].prior, nil)
  same(seen[2].held, "pear")
end)

case("P2 an equal value tells nobody", function()
  local o = object { n = 1 }
  local seen, fn = recorder()
  observe(o, "n", fn, { prior = true })
  o.n = 1
  same(#seen, 0)
  o.n = 2
  same(table.concat(seen, ","), "before 1>2,1>2")
end)

case("P3 in a batch each write is told beforehand, and the end once", function()
  local o = object { n = 1 }
  local seen, fn = recorder()
  observe(o, "n", fn, { prior = true })
  batch(function() o.n = 2 o.n = 3 end)
  same(table.concat(seen, ","), "before 1>2,before 2>3,1>3")
end)

case("P4 what a binding writes is told, whenever the binding was made", function()
  local a, b, c = object { n = 1 }, object { n = 0 }, object { n = 0 }
  bind("n -> n", a, b)
  local seen, fn = recorder()
  observe(b, "n", fn, { prior = true })
  observe(c, "n", fn, { prior = true })
  bind("n -> n", a, c, { initial = false })
  a.n = 2
  table.sort(seen)
  same(table.concat(seen, ","), "0>2,1>2,before 0>2,before 1>2")
end)

case("P5 so is what goes through a transformer", function()
  transformer("twice", function(n) return n * 2 end)
  local a, b = object { n = 1 }, object { n = 0 }
  bind("n -> n | twice", a, b)
  local seen, fn = recorder()
  observe(b, "n", fn, { prior = true })
  a.n = 4
  same(table.concat(seen, ","), "before 2>8,2>8")
end)

case("P6 a longer path is told of every step on it", function()
  local person = object { address = { city = "Rome" } }
  local seen, fn = recorder()
  observe(person, "address.city", fn, { prior = true })
  person.address.city = "Oslo"
  local old = person.address
  person.address = object { city = "Bern" }
  old.city = "gone"
  person.address.city = "Ulm"
  same(table.concat(seen, ","),
    "before Rome>Oslo,Rome>Oslo,before Oslo>Bern,Oslo>Bern,before Bern>Ulm,Bern>Ulm")
end)

case("P7 cancelled, it tells nothing", function()
  local o = object { n = 1 }
  local seen, fn = recorder()
  local observation = observe(o, "n", fn, { prior = true })
  observation:cancel()
  o.n = 2
  same(#seen, 0)
  local context_ = context("later", function() observe(o, "n", fn, { prior = true }) end)
  context.disable("later")
  o.n = 3
  same(#seen, 0)
  context.clear("later")
  o.n = 4
  same(#seen, 0)
end)

case("P8 a validator's value is the one that is told", function()
  local o = object { n = property { default = 0, validate = function(_, v)
    if v > 10 then return 10 end
    if v < 0 then return nil, "too small" end
    return v
  end } }
  local seen, fn = recorder()
  observe(o, "n", fn, { prior = true })
  o.n = 50
  pcall(function() o.n = -1 end)
  same(table.concat(seen, ","), "before 0>10,0>10")
end)

case("P9 a function that raises is listed, and the write goes on", function()
  local o = object { n = 1 }
  observe(o, "n", function(_, _, change) if change.prior then error("no") end end, { prior = true })
  o.n = 2
  same(o.n, 2)
  same(#errors(), 1)
end)

case("P10 it may write the property itself, and is not told of that", function()
  local o = object { n = 1 }
  local calls = 0
  observe(o, "n", function(new, old, change)
    if change.prior then
      calls = calls + 1
      o.n = 100
    end
  end, { prior = true })
  o.n = 2
  same(o.n, 2)
  same(calls, 1)
end)

case("P11 a computed property is refused", function()
  local o = object { n = 1, double = computed(function(self) return self.n * 2 end) }
  fails("is computed", function() observe(o, "double", print, { prior = true }) end)
  fails("no option", function() observe(o, "n", print, { before = true }) end)
end)

case("P12 views tell as well", function()
  local field = view.field { text = "a" }
  local seen, fn = recorder()
  observe(field, "text", fn, { prior = true })
  field.text = "b"
  same(table.concat(seen, ","), "before a>b,a>b")
  show(view.column { field })
  field:focus()
  press(field, "x")
  same(#seen, 4)
end)

case("P13 an edit of a list is told beforehand, whichever list it is", function()
  local o, seen = object { items = { 1, 2 } }, {}
  observe(o, "items", function(new, old, change)
    local when = change.prior and "before" or "after"
    seen[#seen + 1] = ("%s %s %d"):format(when, change.kind or "list", #old)
    assert(rawequal(new, old) == (change.kind ~= nil))
  end, { prior = true })
  o.items:append(3)
  o.items[1] = 9
  o.items:remove(2)
  o.items:move(1, 2)
  o.items = list { 7 }
  o.items:clear()
  o.items:clear()
  same(table.concat(seen, ", "), "before insertion 2, after insertion 3, "
    .. "before replacement 3, after replacement 3, before removal 3, after removal 2, "
    .. "before move 2, after move 2, before list 2, after list 2, "
    .. "before removal 1, after removal 0")
end)

case("P14 the list cannot be edited while its edit is told of", function()
  local o, calls = object { items = { 1 } }, 0
  observe(o, "items", function(_, _, change)
    if not change.prior then return end
    calls = calls + 1
    local isGood, message = pcall(function() o.items:clear() end)
    assert(not isGood and tostring(message):find("about to be edited", 1, true))
  end, { prior = true })
  o.items:append(2)
  same(table.concat(o.items:totable(), ","), "1,2")
  same(calls, 1)
  same(#errors(), 0)
end)

case("P15 a list that is put there in a batch is followed at once, and the old one no more", function()
  local old = list { 1 }
  local o, seen = object { inner = object { items = old } }, {}
  observe(o, "inner.items", function(_, _, change)
    if change.prior then seen[#seen + 1] = change.kind or "list" end
  end, { prior = true })
  batch(function()
    o.inner.items = list { 2 }
    o.inner.items:append(3)
    old:append(4)
  end)
  same(table.concat(seen, ","), "list,insertion")
  o.inner = object { items = { 5 } }
  o.inner.items:clear()
  same(table.concat(seen, ","), "list,insertion,list,removal")
end)

case("P16 an entry of a dict is told beforehand", function()
  local o, seen = object { d = dict { a = 1 } }, {}
  observe(o, "d.a", function(new, old, change)
    seen[#seen + 1] = ("%s%s>%s"):format(change.prior and "before " or "", tostring(old), tostring(new))
  end, { prior = true })
  o.d.a = 2
  o.d.b = 3
  o.d.a = 2
  o.d.a = nil
  same(table.concat(seen, ","), "before 1>2,1>2,before 2>nil,2>nil")
end)

case("P17 what nobody writes is refused at the end of a path, too", function()
  local o = object { inner = object { n = 1, twice = computed(function(self) return self.n * 2 end) } }
  fails("is computed", function() observe(o, "inner.twice", print, { prior = true }) end)
  local c = controller.list { content = list { { n = 1 } } }
  fails("is computed", function() observe(c, "arrangedObjects", print, { prior = true }) end)
  fails("is computed", function() observe(c, "selection.n", print, { prior = true }) end)
  fails("is computed", function() observe(c, "selection", print, { prior = true }) end)
end)
