-- The binding expression: arrows, transformers, spelling, mistakes.

transformer "H" {
  transform = function(n) return n / 100 end,
  reverse = function(n) return n * 100 end,
}
transformer("oneWay", function(n) return n + 1 end)

-- What each arrow does: to the right, to the left, copies at first, applies forward to the left.
local arrows = {
  ["->"] = { right = true, first = true }, ["!->"] = { right = true },
  ["~>"] = { right = true, first = true }, ["!~>"] = { right = true },
  ["<-"] = { left = true, first = true }, ["<-!"] = { left = true },
  ["<~"] = { left = true, first = true, forward = true }, ["<~!"] = { left = true, forward = true },
  ["<>"] = { right = true, left = true, first = true }, ["<!>"] = { right = true, left = true },
}

case("X1 all ten arrows, with and without transformers", function()
  local functions = {
    [""] = { function(n) return n end, function(n) return n end },
    [" | H"] = { function(n) return n / 100 end, function(n) return n * 100 end },
    [" | !H"] = { function(n) return n * 100 end, function(n) return n / 100 end },
    [" | H | offset(1)"] = { function(n) return n / 100 + 1 end,
      function(n) return (n - 1) * 100 end },
    [" | !H | !offset(1)"] = { function(n) return n * 100 - 1 end,
      function(n) return (n + 1) / 100 end },
  }
  local count = 0
  for arrow, does in pairs(arrows) do
    for transformers, f in pairs(functions) do
      local forward, back = f[1], does.forward and f[1] or f[2]
      local l, r = object { a = 600 }, object { b = 800 }
      local text = "a " .. arrow .. " b" .. transformers
      bind(text, l, r)
      local function check(what, a, b)
        if math.abs(l.a - a) > 1e-9 or math.abs(r.b - b) > 1e-9 then
          error(("%s %s: %s, %s, expected %s, %s"):format(text, what, l.a, r.b, a, b))
        end
      end
      local a, b = 600, 800
      if does.first and does.right then b = forward(a) elseif does.first then a = back(b) end
      check("at first", a, b)
      l.a = 1200
      a = 1200
      if does.right then b = forward(a) end
      check("after a change at the left", a, b)
      r.b = 2400
      b = 2400
      if does.left then a = back(b) end
      check("after a change at the right", a, b)
      count = count + 1
    end
  end
  same(count, 50)
end)

case("X2 what cannot go back is refused when it is made", function()
  local l, r = object { a = 1 }, object { b = 2 }
  for arrow, does in pairs(arrows) do
    local needsReverse = does.left and not does.forward
    local needsForward = does.right or does.forward
    for transformers, bad in pairs {
      [" | oneWay"] = needsReverse, [" | !oneWay"] = needsForward,
      [" | H | oneWay"] = needsReverse, [" | oneWay | !H"] = needsReverse,
    } do
      local ok, message = pcall(bind, "a " .. arrow .. " b" .. transformers, l, r)
      if ok == (bad or false) then
        error("a " .. arrow .. " b" .. transformers .. ": " .. tostring(message))
      end
      if bad then
        assert(tostring(message):find('"oneWay" has no reverse', 1, true), message)
        assert(tostring(message):find("^", 1, true), message)
      end
    end
  end
end)

case("X3 white space is free, new lines included", function()
  local l, r = object { a = { b = 600 } }, object { c = 0 }
  for _, text in ipairs {
    "a.b->c|H|offset(1)", "  a . b  ->  c  |  H  |  offset ( 1 )  ", "a.b\n  -> c\n  | H\n  | offset(1)",
    "\ta.b\t->\tc\t|\tH|offset(\n1\n)", "a.b -> c | H | offset(1)\r\n",
  } do
    r.c = 0
    local ok, made = pcall(bind, text, l, r)
    if not ok then error(text .. ": " .. tostring(made)) end
    same(r.c, 7)
    made:unbind()
  end
end)

case("X4 literals arrive as what they are", function()
  local seen
  transformer("take", function(value, ...)
    seen = table.pack(...)
    return value
  end)
  local o = object { a = 1, b = 0 }
  bind([[a -> b | take(1, -2, 0.5, 1e3, 0x10, 'it\'s', "two words", true, false, nil, bare, '')]], o, o)
  local wanted = { 1, -2, 0.5, 1000.0, 16, "it's", "two words", true, false, nil, "bare", "" }
  same(seen.n, 12)
  for i = 1, 12 do
    same(seen[i], wanted[i])
    same(math.type(seen[i]), math.type(wanted[i]))
  end
end)

case("X5 every mistake has its column, what was found, what was expected and a caret", function()
  local l, r = object { a = 1 }, object { b = 2 }
  for text, message in pairs {
    [""] = "column 1: the expression is empty", ["   "] = "the expression is empty",
    ["a"] = 'column 2: no operator: expected an arrow such as ->, <- or <> after "a", found the end',
    ["a b"] = 'column 3: no operator: expected an arrow such as ->, <- or <> after "a", found "b"',
    ["a - b"] = 'found "-"', ["-> b"] = 'column 1: the left side is missing: expected a path, found "->"',
    ["a ->"] = "the right side is missing", ["a -> | H"] = "the right side is missing",
    ["a -> b c"] = 'expected "|" and a transformer, or the end, found "c"',
    ["a -> b |"] = 'expected the name of a transformer after "|", found the end',
    ["a -> b | !"] = 'expected the name of a transformer after "!", found the end',
    ["a -> b | H("] = 'unterminated parenthesis: expected ")" for the "(" at column 11',
    ["a -> b | H(1"] = "unterminated parenthesis", ["a -> b | H('x)"] = "unterminated string",
    ["a -> b | H(1 2)"] = 'expected "," or ")", found "2"', ["a -> b | H(,)"] = "expected a number",
    ["a -> b | H)"] = "stray character", ["a. -> b"] = 'expected a name after ".", found "->"',
    ["a..b -> c"] = 'expected a name after ".", found "."', [".a -> b"] = 'expected a path, found "."',
    ["a[x] -> b"] = "counted from 1", ["a[ -> b"] = "unterminated bracket",
    ["a -> b | nothing"] = 'column 10: there is no transformer "nothing"',
    ["a -> b | uppercas"] = 'did you mean "uppercase"?', ["a -> b | format"] = "format(pattern)",
    ["a -> b | plural(one)"] = "plural(one, many)", ["a -> b -> c"] = 'found "->"',
    ["a => b"] = 'found "', ["a <-> b"] = 'found "', ["1a -> b"] = 'stray character: expected a path, found "1a"',
    ["a -> @cuont"] = 'did you mean "@count"?', ["a -> b | H(1.2.3)"] = "bad number",
    ["a\n-> b\n| H\n| nothing"] = "line 4, column 3",
  } do
    local ok, problem = pcall(bind, text, l, r)
    if ok then error(text .. " is taken") end
    problem = tostring(problem)
    if not problem:find(message, 1, true) then error(text .. ": " .. problem) end
    if not problem:find("column %d+: ") or not problem:find("\n%s*%^") then error(problem) end
  end
  same(#bindings(), 0)
end)

case("X6 an expression cut at every character binds or says what is missing", function()
  local whole = "first.second <> @superview.dataObject.items[12].name | !scale(2.5) | format('%d, %s') "
  local l, r = view.label {}, view.label {}
  for length = 0, #whole do
    for _, text in ipairs { whole:sub(1, length), whole:sub(length + 1) } do
      local ok, message = pcall(binding, text)
      if not ok then
        message = tostring(message)
        assert(message:find("column %d+: ") and message:find("%^"), message)
        local column = tonumber(message:match("column (%d+): "))
        assert(column >= 1 and column <= #text + 1, message)
      end
    end
  end
end)

case("X7 what is read only is refused as a target, on either side", function()
  local o = object { n = 1, items = list { 1 }, twice = computed(function(self) return self.n * 2 end),
    fixed = property { default = 1, readonly = true } }
  local t = object { x = 0 }
  for _, text in ipairs { "x -> twice", "x <> twice", "x -> fixed" } do
    fails("read only", bind, text, t, o)
  end
  fails("can be read but not written", bind, "x -> items.@count", t, o)
  fails("can be read but not written", bind, "x <> items[1]", t, o)
  fails("read only", bind, "twice <- x", o, t)
  bind("twice -> x", o, t)
  same(t.x, 2)
end)

case("X8 a binding connected twice lets go of the old ends, and unbinding is harmless", function()
  local b = binding("name <> text | default(none)", { observe = function() end })
  b:unbind()
  local one, two = object { name = "a" }, object { text = "" }
  b:connect(one, two)
  same(two.text, "a")
  local three, four = object { name = "c" }, object { text = "" }
  b:connect(three, four)
  same(four.text, "c")
  one.name = "x"
  same(two.text, "a")
  two.text = "y"
  same(one.name, "x")
  four.text = "d"
  same(three.name, "d")
  b:connect(three, two)
  same(two.text, "d")
  four.text = "z"
  same(three.name, "d")
  same(#bindings(), 1)
  b:unbind()
  b:unbind()
  three.name = "e"
  same(two.text, "d")
  b:connect(one, four)
  same(four.text, "x")
  fails("no property", function() b:connect(two, four) end)
  one.name = "q"
  same(four.text, "x")
end)

case("X9 a binding says what it connects", function()
  local l, r = object { a = 1 }, object { b = 2, on = true }
  local b = bind("a -> b | offset(1)", l, r)
  same(b.description, "a -> b | offset(1)")
  same(b.source, l)
  same(b.target, r)
  assert(b.location:find("expressions.lua:%d+"), b.location)
  same(b.enabled, true)
  same(b.error, nil)
  local gated = bind("a -> b", l, r, { when = function() return r.on end })
  same(gated.source, l)
  same(gated.target, r)
  local deep = object { inner = { n = 1 } }
  local nested = bind("inner.n -> inner.n", deep, object { inner = { n = 2 } })
  same(nested.source, deep)
  unbind(l)
  same(#bindings(l), 0)
end)

case("X10 a two-way binding leaves the text as typed", function()
  local m, field = object { n = 2.0 }, view.field {}
  bind("n <> text", m, field)
  same(field.text, "2")
  local function type(text, number)
    field.text = text
    same(m.n, number)
    same(field.text, text)
  end
  type("1.", 1)
  type("1.50", 1.5)
  m.n = 3
  same(field.text, "3")
  type("x", 3)
  assert(field.error, "no error is shown")
  field.text = "4"
  same(m.n, 4)
  same(field.error, nil)
end)

case("X11 a dict's keys are ends of bindings", function()
  local d, t = dict { a = "x" }, object { s = "", u = "u" }
  bind("a -> s", d, t)
  same(t.s, "x")
  d.a = "y"
  same(t.s, "y")
  bind("u -> b", t, d)
  same(d.b, "u")
  t.u = "v"
  same(d.b, "v")
  bind("c <> s", d, t)
  same(d.c, nil)
end)

case("X12 nil becomes the default of an enumerated property, or nil where it may be that", function()
  local source = object { v = property {} }
  local t = object {
    level = property { enum = { "low", "high" }, default = "low" },
    maybe = property { enum = { "a", "b" } },
  }
  bind("v -> level", source, t)
  bind("v -> maybe", source, t)
  same(t.level, "low")
  source.v = 2
  same(t.level, "high")
  same(t.maybe, "b")
  source.v = nil
  same(t.level, "low")
  same(t.maybe, nil)
  t.maybe = "a"
  t.maybe = nil
  fails("one of low, high", function() t.level = nil end)
  same(#errors(), 0)
end)

case("X13 a binding with a name is described by it", function()
  local o = object { a = 1, b = 2, c = 3 }
  context("named", function()
    local made = bind("a -> b", o, o, { name = "copy" })
    same(made.description, "copy: a -> b")
    same(tostring(made), "binding copy: a -> b")
    same(context.list()[1], "copy: a -> b")
    same(bindings(o)[1].description, "copy: a -> b")
    bind(o, "c", function() return o.a end, { name = "own" })
    same(context.list()[2]:match("^own"), "own")
  end)
end)
