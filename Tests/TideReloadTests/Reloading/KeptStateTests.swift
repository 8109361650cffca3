import Testing
import TestFolders
import TideBindings
import TideScript

@testable import TideReload

@Suite struct `What a reload keeps` {
  @Test func `is the value of a property, unless its declared default has changed`() throws {
    let app = try ReloadedApp(["app.lua": "model 'm' { a = 1, b = 1, c = 'x' }"])
    try app.run("models.m.a = 5 models.m.b = 5")
    let report = app.save(["app.lua": "model 'm' { a = 1, b = 2, c = 'x' }"])
    #expect(report.error == nil)
    #expect(try app.value("models.m") == "m { a = 5, b = 2, c = \"x\" }")
    #expect((report.kept, report.reset) == (2, 1))
  }

  @Test func `is the model itself, which others go on using`() throws {
    let app = try ReloadedApp(["app.lua": "model 'm' { a = 1 }"])
    try app.run("held = models.m")
    app.save([
      "app.lua":
        "local m = model 'm' { a = 1, z = 7, k = computed(function(s) return s.a + s.z end) }"
    ])
    #expect(try app.value("held == models.m") == "true")
    #expect(try app.value("held.z") == "7")
    #expect(try app.value("held.k") == "8")
    try app.run("held.a = 2")
    #expect(try app.value("models.m.k") == "9")
  }

  @Test func `is not a property that is declared no more`() throws {
    let app = try ReloadedApp(["app.lua": "model 'm' { a = 1, gone = 2 }"])
    try app.run("held = models.m")
    app.save(["app.lua": "model 'm' { a = 1 }"])
    #expect(try app.value("pcall(function() return held.gone end)") == "false")
    #expect(try app.value("held") == "m { a = 1 }")
    app.save(["app.lua": "model 'm' { a = 1, gone = 3 }"])
    #expect(try app.value("held.gone") == "3")
  }

  @Test func `is converted where the type has changed, or gives way to the default`() throws {
    let app = try ReloadedApp([
      "app.lua": "model 'm' { n = property { default = 1 }, t = property { type = 'any' } }"
    ])
    try app.run("models.m.n = 12 models.m.t = 'twelve'")
    app.save([
      "app.lua": """
      model 'm' {
        n = property { default = 1, type = 'any' }, t = property { type = 'string', nullable = false }
      }
      """
    ])
    #expect(try app.value("models.m.t") == "twelve")
    app.save([
      "app.lua": """
      model 'm' {
        n = property { default = 1, type = 'integer' },
        t = property { type = 'number', nullable = false }
      }
      """
    ])
    #expect(try app.value("models.m.n") == "12")
    #expect(try app.value("models.m.t") == "0")
  }

  @Test func `are lists with their objects, unless their declared contents have changed`() throws {
    let app = try ReloadedApp(["app.lua": "model 'm' { l = { 'a', 'b' }, o = { {n = 1} } }"])
    try app.run("held = models.m.l held:append('c') row = models.m.o[1] row.n = 9")
    app.save(["app.lua": "model 'm' { l = { 'a', 'b' }, o = { {n = 1} } }"])
    #expect(try app.value("held == models.m.l and #held") == "3")
    #expect(try app.value("row == models.m.o[1] and row.n") == "9")
    app.save(["app.lua": "model 'm' { l = { 'a', 'b', 'z' }, o = { {n = 1} } }"])
    #expect(try app.value("models.m.l:totable()[3]") == "z")
    #expect(try app.value("#models.m.o == 1 and models.m.o[1].n") == "9")
  }

  @Test func `is a feed with its rows, and with a fetch that was under way`() throws {
    let text = """
      model "m" { rows = feed { page = 2, fetch = function(offset)
        sleep(1)
        return { offset + 1, offset + 2 }
      end } }
      """
    let app = try ReloadedApp(["app.lua": text], clock: VirtualClock())
    try app.run("models.m.rows:fetchMore()")
    app.runtime.loop.advance(by: 1)
    try app.run("models.m.rows:fetchMore()")
    app.runtime.loop.advance(by: 0.5)
    app.save(["app.lua": text + "\n"])
    #expect(try app.value("tostring(models.m.rows.isFetching) .. #models.m.rows") == "true2")
    app.runtime.loop.advance(by: 1)
    #expect(try app.value("tostring(models.m.rows.isFetching) .. #models.m.rows") == "false4")
  }

  @Test func `is not a local variable or an object without a name`() throws {
    let app = try ReloadedApp([
      "app.lua": "local n = 0 o = object { n = 1 } function up() n = n + 1 return n end"
    ])
    try app.run("up() up() o.n = 7")
    app.save(["app.lua": "local n = 0 o = object { n = 1 } function up() n = n + 1 return n end "])
    #expect(try app.value("up()") == "1")
    #expect(try app.value("o.n") == "1")
  }

  @Test func `is a model that is declared no more, hidden until it is declared again`() throws {
    let app = try ReloadedApp(["app.lua": "model 'm' { a = 1 }"])
    try app.run("models.m.a = 5")
    app.save(["app.lua": "print 'none'"])
    #expect(throws: TideError.self) { try app.value("models.m.a") }
    app.save(["app.lua": "model 'm' { a = 1 }"])
    #expect(try app.value("models.m.a") == "5")
    app.save(["app.lua": "print 'none'"])
    try app.runtime.reset()
    app.save(["app.lua": "model 'm' { a = 1 }"])
    #expect(try app.value("models.m.a") == "1")
  }

  @Test func `is the class of a module, whose objects have the new methods and computed values`()
    throws
  {
    let text = """
      Person = class "Person" {
        first = "", greet = function(self) return "Hi, " .. self.first end,
        long = computed(function(self) return self.first .. "!" end),
      }
      model "m" { who = Person { first = "Jim" } }
      """
    let app = try ReloadedApp(["app.lua": text])
    try app.run("jim = models.m.who jim.first = 'James'")
    #expect(try app.value("jim.long") == "James!")
    let report = app.save([
      "app.lua": text.replacing("\"Hi, \"", with: "\"Hello, \"").replacing("\"!\"", with: "\"?\"")
        .replacing("first = \"\", greet", with: "first = \"\", age = 30, greet")
    ])
    #expect(report.error == nil)
    #expect(try app.value("jim == models.m.who") == "true")
    #expect(try app.value("jim:greet()") == "Hello, James")
    #expect(try app.value("jim.long") == "James?")
    #expect(try app.value("jim.age") == "30")
    #expect(try app.value("isa(jim, Person)") == "true")
    try app.run("jim.first = 'Jo'")
    #expect(try app.value("jim.long") == "Jo?")
  }

  @Test func `is a class that has moved to another module`() throws {
    func person(_ greeting: String) -> String {
      """
      Person = class "Person" {
        first = "", greet = function(self) return "\(greeting), " .. self.first end,
        long = computed(function(self) return self.first .. "!" end),
      }
      """
    }
    let rest = """

      Friend = class("Friend", Person) { nick = "?" }
      model "m" { who = Person { first = "Jim" }, friend = Friend { first = "Ann" } }
      """
    let app = try ReloadedApp(["app.lua": person("Hi") + rest])
    try app.run("jim, ann = models.m.who, models.m.friend jim.first = 'James'")
    func isWhole(_ greeting: String) throws {
      #expect(try app.value("jim == models.m.who and isa(jim, Person)") == "true")
      #expect(try app.value("ann == models.m.friend and isa(ann, Person)") == "true")
      #expect(try app.value("jim:greet()") == greeting + ", James")
      #expect(try app.value("ann:greet()") == greeting + ", Ann")
      #expect(try app.value("jim.long") == "James!")
    }
    let moved = ["app.lua": "require 'person'" + rest, "person.lua": person("Hello")]
    // What the version that moves it is wrong with leaves it where it was.
    let broken = moved.merging(["app.lua": "require 'person' error 'no'"]) { $1 }
    #expect(app.save(broken).error != nil)
    try isWhole("Hi")
    #expect(app.save(moved).error == nil)
    try isWhole("Hello")
    #expect(app.save(["person.lua": person("Good day")]).error == nil)
    try isWhole("Good day")
    // And back.
    #expect(app.save(["person.lua": "return 1", "app.lua": person("Hi") + rest]).error == nil)
    try isWhole("Hi")
  }

  @Test func `is the class of a module that another replaces in the same save`() throws {
    func kinds(_ text: String) -> String {
      "model 'kinds' { n = 1 } return { Man = class 'Man' { name = '', hi = function() return '\(text)' end } }"
    }
    func main(_ module: String) -> String {
      """
      local kinds = require "\(module)"
      local m = model "m" { all = list {} }
      if #m.all == 0 then m.all:append(kinds.Man { name = "A" }) end
      function shown() return m.all[1]:hi() .. tostring(isa(m.all[1], kinds.Man)) end
      """
    }
    let app = try ReloadedApp(["app.lua": main("kinds"), "kinds.lua": kinds("v1")])
    #expect(try app.value("shown()") == "v1true")
    // A version that fails leaves the class where it was.
    app.folder.remove("kinds.lua")
    let sorts = ["app.lua": main("sorts"), "sorts.lua": kinds("v2")]
    #expect(app.save(sorts.merging(["app.lua": main("sorts") + "error 'no'"]) { $1 }).error != nil)
    #expect(try app.value("shown()") == "v1true")
    #expect(app.save(sorts).orphans.isEmpty)
    #expect(try app.value("shown()") == "v2true")
    app.save(["sorts.lua": kinds("v3")])
    #expect(try app.value("shown()") == "v3true")
    // And back, while the file of the other one stays.
    app.save(["app.lua": main("kinds"), "kinds.lua": kinds("v4")])
    #expect(try app.value("shown()") == "v4true")
  }

  @Test func `is the class of a module that is still required, beside a new one of its name`()
    throws
  {
    let kinds = "return { Man = class 'Man' { hi = function() return 'kinds' end } }"
    let sorts = "return { Man = class 'Man' { hi = function() return 'sorts' end } }"
    let text = "local kinds = require 'kinds' model 'm' { man = kinds.Man {} }"
    let app = try ReloadedApp(["app.lua": text, "kinds.lua": kinds])
    for call in ["require 'kinds'", "for _, name in ipairs { 'kinds' } do require(name) end"] {
      let report = app.save([
        "app.lua": "require 'sorts' \(call) model 'm' { man = 1 }", "sorts.lua": sorts,
      ])
      #expect(report.error == nil)
      #expect(try app.value("models.m.man == 1") == "true")
      app.save(["app.lua": text])
      #expect(try app.value("models.m.man:hi()") == "kinds")
    }
  }

  @Test func `is the class of objects whose module comes back later, as the report tells`() throws {
    let kinds = "return { Man = class 'Man' { hi = function() return 'v1' end } }"
    let main = "local m = model 'm' { all = list {} }"
    let filled =
      "local kinds = require 'kinds' \(main) if #m.all == 0 then for i = 1, 3 do m.all:append(kinds.Man {}) end end"
    let app = try ReloadedApp(["app.lua": filled, "kinds.lua": kinds])
    let gone = app.save(["app.lua": main])
    #expect(gone.line.hasSuffix("; 3 objects are of the class Man, which is gone"), "\(gone.line)")
    #expect(app.save(["app.lua": main + " "]).orphans.isEmpty)
    let back = app.save([
      "app.lua": "require 'sorts' \(main)", "sorts.lua": kinds.replacing("v1", with: "v2"),
    ])
    #expect(back.orphans.isEmpty)
    #expect(try app.value("models.m.all[3]:hi()") == "v2")
    try app.run("models.m.all:clear()")
    #expect(app.save(["app.lua": main]).orphans.isEmpty)
  }

  @Test func `is each module's class where two have one of the same name`() throws {
    let text = "require 'b' local C = class 'C' { n = 1 } model 'm' { c = C {} }"
    let app = try ReloadedApp(["app.lua": text, "b.lua": "return 1"])
    try app.run("kept = models.m.c")
    let other = "local C = class 'C' { k = 2 } b = C {}"
    #expect(app.save(["app.lua": text + " ", "b.lua": other]).error == nil)
    #expect(try app.value("models.m.c == kept and kept.n") == "1")
    #expect(try app.value("b.k") == "2")
  }

  @Test func `is hot data, and the number of reloads`() throws {
    let text = "hot.data.n = (hot.data.n or 0) + 1 print(hot.data.n, hot.reloads)"
    let app = try ReloadedApp(["app.lua": text])
    app.save(["app.lua": text])
    app.save(["app.lua": text])
    #expect(app.printed == ["1\t0", "2\t1", "3\t2"])
  }

  @Test func `is the same table of a module, with what is new in it`() throws {
    let app = try ReloadedApp([
      "app.lua":
        "held = held or require 'm'  hot.accept(function(name, new) print(name, new == held) end)",
      "m.lua": "local M = { n = 1 } function M.up() M.n = M.n + 1 return M.n end return M",
    ])
    try app.run("up = held.up up()")
    let report = app.save([
      "m.lua": "local M = { n = 10 } function M.up() M.n = M.n + 1 return M.n end return M"
    ])
    #expect(report.line.hasPrefix("reloaded 1 of 2 modules in "))
    #expect(app.printed == ["m\ttrue"])
    #expect(try app.value("held.up()") == "11")
    // What the new functions know as their module is what others hold.
    #expect(try app.value("held.n") == "11")
    #expect(try app.value("held == require 'm'") == "true")
  }

  @Test func `keeps a module's metatable and what refers to the module itself`() throws {
    let text = """
      local Stack = {} Stack.__index = Stack
      function Stack.new() return setmetatable({ n = 0 }, Stack) end
      function Stack:push() self.n = self.n + 1 return self.n end
      return setmetatable(Stack, { __call = function(class) return class.new() end })
      """
    let app = try ReloadedApp([
      "app.lua": "Stack = Stack or require 'stack' hot.accept(function() end)", "stack.lua": text,
    ])
    try app.run("old = Stack()")
    app.save(["stack.lua": text.replacing("+ 1", with: "+ 10")])
    #expect(try app.value("old:push()") == "10")
    #expect(try app.value("Stack():push()") == "10")
    #expect(try app.value("getmetatable(Stack()) == Stack and Stack.__index == Stack") == "true")
  }

  @Test func `is listed where a kept value does not suit a new validator, which rejects nothing`()
    throws
  {
    let app = try ReloadedApp(["app.lua": "model 'm' { n = 1 }"])
    try app.run("models.m.n = -5")
    let report = app.save([
      "app.lua": """
      model 'm' { n = property { default = 1, validate = function(_, v)
        if v < 0 then return nil, "not below 0" end return v end } }
      """
    ])
    #expect(report.error == nil)
    #expect(app.runtime.errors.map(\.message) == ["the value kept for m.n: not below 0"])
    #expect(try app.value("models.m.n") == "-5")
  }

  @Test func `gives way to the default where it is not in the enum any more, and that is told`()
    throws
  {
    let text = "model 'm' { level = property { default = 'low', enum = { 'low', 'high' } } }"
    let app = try ReloadedApp(["app.lua": text])
    try app.run("models.m.level = 'high'")
    let narrowed = text.replacing(", 'high'", with: "")
    let report = app.save(["app.lua": narrowed])
    #expect(report.error == nil)
    #expect((report.kept, report.reset) == (0, 1))
    #expect(try app.value("models.m.level") == "low")
    #expect(app.runtime.errors.map(\.path) == ["m.level"])
    #expect(app.runtime.errors.first?.message.hasSuffix("it holds \"low\" now") == true)
    #expect(app.save(["app.lua": narrowed + "\n"]).error == nil)
    #expect(app.runtime.errors.isEmpty)
  }

  @Test(arguments: [
    ("k = property { default = 'low', enum = { 'low' } }", "low", 1),
    ("k = property { default = 1, type = 'integer' }", "1", 1),
    ("k = property { type = 'any' }", "high", 0),
  ])
  func `gives way to the default in objects of a class as well`(
    property: String, value: String, errors: Int
  ) throws {
    func text(_ property: String) -> String {
      "Item = class 'Item' { \(property) } model 'm' { list = list {} }"
    }
    let app = try ReloadedApp([
      "app.lua": text("k = property { default = 'low', enum = { 'low', 'high' } }")
    ])
    try app.run("for i = 1, 3 do models.m.list:append(Item { k = 'high' }) end")
    #expect(app.save(["app.lua": text(property) + " error 'no'"]).error != nil)
    #expect(try app.value("models.m.list[2].k") == "high")
    #expect(app.save(["app.lua": text(property)]).error == nil)
    #expect(try app.value("models.m.list[2].k") == value)
    #expect(app.runtime.errors.count == errors)
  }

  @Test func `goes with the globals of a module`() throws {
    let app = try ReloadedApp(["app.lua": "one = 1 two = 2", "m.lua": "three = 3"])
    try app.run("mine = 4 require 'm'")
    app.save(["app.lua": "two = 22"])
    #expect(try app.value("one") == "nil")
    #expect(try app.value("two") == "22")
    #expect(try app.value("three") == "3")
    #expect(try app.value("mine") == "4")
  }
}
