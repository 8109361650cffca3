local function message(fn)
  local isGood, raised = pcall(fn)
  assert.is_false(isGood)
  return tostring(raised)
end

describe("bound", function()
  it("tells what is written by a binding", function()
    local a, b = object { x = 1, y = 2, deep = { z = 3 } }, object { x = 0, y = 0, z = 0 }
    bind("x -> x", a, b)
    bind("y <> y", a, b)
    bind("deep.z -> z", a, b)
    assert.bound(b, "x")
    assert.is_not.bound(a, "x")
    assert.bound(a, "y")
    assert.bound(b, "y")
    assert.bound(b, "z")
    assert.is_not.bound(a, "deep.z")
    unbind(b, "x")
    assert.is_not.bound(b, "x")
  end)

  it("counts functions of views, and no computed properties", function()
    local label = view.label { text = function() return "a" .. "b" end }
    assert.is_not.bound(object { c = computed(function() return 1 end) }, "c")
    assert.bound(label, "text")
  end)

  it("lists what there is", function()
    local a, b = object { x = 1 }, object { x = 0, y = 0 }
    bind("x -> x", a, b)
    local text = message(function() assert.bound(b, "y") end)
    assert.matches("Expected something to bind y", text)
    assert.matches("x %-> x at .*bindings_spec.lua", text)
    assert.matches("Expected nothing to bind x", message(function() assert.is_not.bound(b, "x") end))
    assert.matches("no property \"z\"", message(function() assert.bound(b, "z") end))
    assert.matches("data object or view is expected", message(function() assert.bound(3, "z") end))
    assert.matches("minimum of 2", message(function() assert.bound(b) end))
  end)
end)

describe("property", function()
  it("compares by content, at any depth", function()
    local o = object { a = { b = { 1, 2 } }, name = "x" }
    assert.property(o, "a.b").is { 1, 2 }
    assert.property(o, "a.b[2]").is(2)
    assert.property(o, "a.b.@count").is(2)
    assert.property(o, "name").is_not "y"
    assert.property(o, "name").exists()
    assert.property(o, "nme").does_not_exist()
    assert.equal("x", assert.property(o, "name").is "x")
  end)

  it("tells why", function()
    local a, label = object { name = "fig" }, view.label { id = "shown" }
    bind("name -> text | uppercase", a, label)
    a.name = "pear"
    local text = message(function() assert.property(label, "text").is "FIG" end)
    assert.matches("Expected text to be the same", text)
    assert.matches("Why it is so:", text)
    assert.matches('FIG.- before, now .-PEAR.- by a binding at .*bindings_spec.lua:%d+', text)
    assert.matches('fig.- before, now .-pear.- by a write at .*bindings_spec.lua:%d+', text)
    assert.matches("bindings_spec.lua:%d+: Expected", text)
    assert.matches("no word \"iss\"", message(function() return assert.property(a, "name").iss end))
    assert.matches("did you mean \"name\"", message(function() assert.property(a, "nam").is(1) end))
  end)
end)

describe("eventually", function()
  it("lets time pass", function()
    local done = false
    after(3, function() done = true end)
    local start = clock.now()
    assert.eventually(function() return done end)
    assert.near(3, clock.now() - start, 0.06)
    assert.eventually(function() assert.is_true(done) end)
  end)

  it("gives up", function()
    local text = message(function() assert.eventually(function() return false end, 2) end)
    assert.matches("within 2 seconds", text)
    text = message(function() assert.eventually(function() error "never" end, 1, "come") end)
    assert.matches("come\n", text)
    assert.matches("never", text)
    assert.is_not.eventually(function() return nil end, 1)
    assert.matches("function or callable", message(function() assert.eventually(3) end))
  end)
end)

describe("settles", function()
  it("finds cycles", function()
    local a = object { x = 1, y = 1 }
    assert.settles(function() a.x = 5 end)
    bind("x -> y | offset(1)", a, a)
    bind("y -> x | offset(1)", a, a)
    local text = message(function() assert.settles(function() a.x = 9 end) end)
    assert.matches("Expected it to settle, but", text)
    assert.matches("never settle: object.[xy] %-> object.[xy]", text)
  end)

  it("finds what never ends", function()
    local function again() after(0, again) end
    local text = message(function() assert.settles(again) end)
    assert.matches("always more to do", text)
  end)

  it("leaves other errors as they are", function()
    assert.matches("mine", message(function() assert.settles(function() error "mine" end) end))
  end)
end)

describe("no_errors", function()
  it("lists what went wrong, with its place", function()
    local a, b = object { text = "1" }, object { number = 0 }
    bind("text -> number", a, b)
    assert.no_errors()
    a.text = "one"
    local text = message(function() assert.no_errors() end)
    assert.matches("but there is 1:", text)
    assert.matches("bindings_spec.lua:%d+: ", text)
    a.text = "2"
    assert.no_errors()
  end)

  it("is luassert's with a function", function()
    assert.no_errors(function() end)
    assert.has_no_errors(function() end)
    assert.has_no.errors(function() end)
    assert.matches("Expected no error, but caught", message(function()
      assert.has_no.errors(function() error "x" end)
    end))
    assert.matches("Expected no error, but caught", message(function()
      assert.has_no_errors(function() error "x" end)
    end))
  end)
end)

describe("what a spec calls its own", function()
  it("comes first", function()
    assert:register("assertion", "has_property", function(_, arguments)
      return arguments[1][arguments[2]] ~= nil
    end)
    assert.has_property({ a = 1 }, "a")
    assert:unregister("assertion", "has_property")
    local snapshot = assert:snapshot()
    snapshot:revert()
  end)
end)

describe("a context", function()
  for _ = 1, 2 do
    it("of a name is another in each test", function()
      local seen = 0
      local o = object { x = 0 }
      context("mine", { policy = "keep" }, function()
        assert.equal(0, #context.list())
        observe(o, "x", function() seen = seen + 1 end)
      end)
      o.x = 1
      assert.equal(1, seen)
    end)
  end
end)

describe("bound, to the letter", function()
  it("goes by what is written, not by how it is called", function()
    local a, b, c = object { v = "" }, object { v = "" }, object { v = "", w = "" }
    bind("v -> v | prefix('<>')", a, b)
    bind("v -> w", b, c, { name = "b <> c" })
    assert.is_not.bound(a, "v")
    assert.bound(b, "v")
    assert.bound(c, "w")
    assert.is_not.bound(c, "v")
    local slow = bind("v <> v", b, c, { delay = 1 })
    assert.bound(c, "v")
    slow:unbind()
    assert.is_not.bound(c, "v")
  end)

  it("follows paths to what they lead to", function()
    local from = object { v = 1, w = 2 }
    local first, second = object { q = 1 }, object { q = 1 }
    local holder = object { p = first, x = 0 }
    bind("v -> p.q", from, holder)
    assert.bound(holder, "p.q")
    assert.bound(first, "q")
    assert.is_not.bound(holder, "p")
    assert.is_not.bound(second, "q")
    holder.p = second
    assert.bound(second, "q")
    assert.is_not.bound(first, "q")
    bind("p.q <!> w", holder, from)
    assert.bound(from, "w")
    local full = object { first = "", full = computed(function(o) return o.first end,
      function(o, value) o.first = value end) }
    assert.is_not.bound(full, "full")
    bind("v -> full | string", from, full)
    assert.bound(full, "full")
  end)
end)

describe("property, to the letter", function()
  local o
  before_each(function() o = object { n = 1, t = "x" } end)

  it("is turned round by not", function()
    assert.is_not.property(o, "n").is(2)
    assert.not_property(o, "m").exists()
    assert.matches("Expected n to not be the same",
      message(function() assert.is_not.property(o, "n").is(1) end))
  end)

  it("says a message first, at the line", function()
    for _, fail in ipairs {
      function() assert.property(o, "n").is(3, "three of them") end,
      function() assert.property(o, "n", "three of them").is(3) end,
      function() assert.message("three of them").property(o, "n").is(3) end,
    } do
      assert.matches("^[^\n]*bindings_spec.lua:%d+: three of them\nExpected n", message(fail))
    end
  end)

  it("needs an object from the start", function()
    assert.matches("bindings_spec.lua:%d+: a data object or view is expected, not nil",
      message(function() assert.property(nil, "n") end))
    assert.matches("not a table", message(function() assert.property({}, "n") end))
  end)

  it("finds what is no number equal to itself, as bindings do", function()
    o.n = 0 / 0
    assert.property(o, "n").is(0 / 0)
  end)
end)

describe("what goes wrong in between", function()
  it("is raised as it was", function()
    local text = message(function() assert.settles(function() error "mine" end) end)
    assert.matches("^[^\n]*bindings_spec.lua:%d+: mine$", text)
    assert.no_match("tidelock.test", text)
  end)

  it("says where one cannot wait", function()
    local o, text = object { x = 1 }, nil
    observe(o, "x", function()
      text = message(function() assert.eventually(function() return false end) end)
    end)
    o.x = 2
    assert.matches("bindings_spec.lua:%d+: assert.eventually has to wait", text)
  end)

  it("names what a binding waits for in vain", function()
    bind "nobody.name -> nothing.text"
    assert.matches("nobody", message(function() assert.no_errors() end))
    model "nobody" { name = "Ada" }
    model "nothing" { text = "" }
    assert.no_errors()
    assert.equal("Ada", models.nothing.text)
  end)

  it("says what a number of seconds is", function()
    assert.matches("0 or more expected, got %-1", message(function()
      assert.eventually(function() end, -1)
    end))
  end)
end)

describe("what a failure adds", function()
  it("comes after the spec's own message", function()
    local text = message(function() assert.bound(object { x = 1 }, "x", "to a model") end)
    assert.matches("to a model\nExpected something to bind x of object { x = 1 }\nIt has no bindings.", text)
    text = message(function() assert.message("to a model").bound(object { x = 1 }, "x") end)
    assert.matches("to a model\nExpected something", text)
  end)

  it("tells of values as they are written", function()
    local o = object { a = 1, b = computed(function(self) return self.a * 2 end) }
    o.a = 4
    local text = message(function() assert.property(o, "b").is(3) end)
    assert.matches("object.b: nil before, now 8 by its function at", text)
    assert.matches("object.a: 1 before, now 4 by a write at", text)
    assert.matches("leads to no object: it is nil",
      message(function() assert.bound(object { p = property {} }, "p.q") end))
  end)
end)

describe("texts of many lines", function()
  it("show in which they differ", function()
    local text = message(function() assert.same("a\nb\nc\nd\ne\nf\ng", "a\nb\nc\nd\nE\nf\ng") end)
    assert.matches("%(%+%):\n@@ %-3 %+3 @@\n  c\n  d\n%- e\n%+ E\n  f\n  g$", text)
    assert.no_match("difference", message(function() assert.same("a\nb", "a\nc") end))
  end)
end)

describe("what settles", function()
  it("is not what a cycle raises", function()
    local each = object {
      a = computed(function(self) return self.b end),
      b = computed(function(self) return self.a end),
    }
    assert.is_not.settles(function() return each.a end)
  end)

  it("lets another error pass, whatever words are in it", function()
    assert.has_error(function()
      assert.settles(function() error("no such bicycle", 0) end)
    end, "no such bicycle")
  end)
end)

describe("how often a binding has run", function()
  local source, target

  before_each(function()
    source, target = model "source" { n = 0 }, model "target" { n = 0 }
  end)

  it("is counted from when it was made, or asked about last", function()
    local binding = bind("n -> n", source, target)
    assert.runs(binding, 1)
    source.n = 1
    source.n = 2
    source.n = 2
    assert.runs(binding, 2)
    assert.runs(binding, 0)
    assert.is_not.runs(binding, 3)
  end)

  it("counts both ways", function()
    local binding = bind("n <> n", source, target)
    assert.runs(binding, 1)
    source.n = 5
    target.n = 6
    assert.runs(binding, 2)
    assert.equal(6, source.n)
  end)

  it("is told where it is another one", function()
    local binding = bind("n -> n", source, target)
    local isGood, message = pcall(assert.runs, binding, 7)
    assert.is_false(isGood)
    assert.matches("Expected the binding n %-> n to have run 7 times", tostring(message))
    assert.matches("asked about last, it has run:\nonce", tostring(message))
    isGood, message = pcall(assert.is_not.runs, binding, 0)
    assert.matches("not to have run 0 times", tostring(message))
  end)

  it("is asked of a binding", function()
    local isGood, message = pcall(assert.runs, {}, 1)
    assert.matches("takes a binding", tostring(message))
    assert.is_false((pcall(assert.runs, bind("n -> n", source, target), "1")))
    assert.is_false(isGood)
  end)
end)
