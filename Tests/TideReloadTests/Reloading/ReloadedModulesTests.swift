import TestFolders
import Testing
import TideBindings
import TideGraph
import TideLua
import TideScript

@testable import TideReload

@Suite struct `Reloading modules` {
  @Test func `runs the changed one and those that need it, in order`() throws {
    let app = try ReloadedApp([
      "app.lua": "print 'app' require 'shop' require 'tax'",
      "shop.lua": "print 'shop' require 'prices'", "prices.lua": "print 'prices'",
      "tax.lua": "print 'tax'",
    ])
    #expect(app.printed == ["app", "shop", "prices", "tax"])
    let report = app.save(["prices.lua": "print 'prices 2'"])
    #expect(app.printed.dropFirst(4) == ["app", "shop", "prices 2"])
    #expect((report.reloaded, report.modules) == (3, 4))
  }

  @Test func `leaves what other modules have made alone`() throws {
    let app = try ReloadedApp([
      "app.lua": "require 'a' require 'b'",
      "a.lua": "model 'm' { n = 0 } observe(models.m, 'n', function(n) print('a', n) end)",
      "b.lua": "every(1, function() end)",
    ])
    let report = app.save(["b.lua": "print 'b'"])
    #expect(report.disposed == 1)
    try app.run("models.m.n = 1")
    #expect(app.printed == ["b", "a\t1"])
  }

  @Test func `ends bindings, observers, timers, effects and tasks of the old version`() throws {
    let text = """
      local m = model "m" { n = 0, c = 0 }
      observe(m, "n", function() print "seen" end)
      effect(function() local _ = m.n print "effect" end)
      bind("m.n -> m.c")
      every(1, function() print "tick" end)
      spawn(function() sleep(1) print "task" end)
      context("named", function() observe(m, "n", function() print "named" end) end)
      """
    let app = try ReloadedApp(["app.lua": text])
    let report = app.save(["app.lua": "model 'm' { n = 0, c = 0 }"])
    #expect(report.disposed == 6)
    try app.run("models.m.n = 1")
    #expect(app.printed == ["effect"])
    #expect(app.runtime.loop.hasWork == false)
  }

  @Test func `asks before a module goes`() throws {
    let app = try ReloadedApp([
      "app.lua": """
      hot.dispose(function() print('first') end)
      hot.dispose(function() print('second') end)
      """
    ])
    app.save(["app.lua": "print 'new'"])
    #expect(app.printed == ["new", "second", "first"])
    app.save(["app.lua": "error 'no'"])
    #expect(app.printed == ["new", "second", "first"])
  }

  @Test func `stops at a module that takes new versions by itself`() throws {
    let app = try ReloadedApp([
      "app.lua": "print 'app' require 'shop'",
      "shop.lua":
        "local p = require 'prices' hot.accept(function(name, new) print(name, new.v, p.v) end)",
      "prices.lua": "return { v = 1 }",
    ])
    let report = app.save(["prices.lua": "return { v = 2 }"])
    #expect(app.printed == ["app", "prices\t2\t2"])
    #expect(report.reloaded == 1)
    #expect(
      app.save(["prices.lua": "return { v = 3 }", "shop.lua": "require 'prices'"]).reloaded == 3)
  }

  @Test func `is off when a module refuses what it is offered`() throws {
    let app = try ReloadedApp([
      "app.lua":
        "p = require 'prices' hot.accept(function(name, new) if new.v > 1 then error 'too much' end end)",
      "prices.lua": "return { v = 1 }",
    ])
    #expect(
      app.save(["prices.lua": "return { v = 2 }"]).error?.message.contains("too much") == true)
    #expect(try app.value("p.v") == "1")
  }

  @Test func `of one model by two modules is an error that names both`() throws {
    let app = try ReloadedApp([
      "app.lua": "model 'm' { n = 1 }\nrequire 'other'", "other.lua": "return 1",
    ])
    let error = app.save(["other.lua": "\n\nmodel 'm' { n = 2 }"]).error
    #expect(error?.message.contains("app.lua:1") == true, "\(error as Any)")
    #expect(error?.location?.file.hasSuffix("other.lua") == true)
    #expect(error?.location?.line == 3)
    #expect(try app.value("models.m.n") == "1")
  }

  @Test func `lets a model move from one module to another`() throws {
    let app = try ReloadedApp([
      "app.lua": "require 'a' require 'b'", "a.lua": "model 'm' { n = 1 }", "b.lua": "return 1",
    ])
    try app.run("models.m.n = 5")
    #expect(app.save(["a.lua": "return 2", "b.lua": "model 'm' { n = 1 }"]).error == nil)
    #expect(try app.value("models.m.n") == "5")
  }

  @Test func `defines components and transformers anew, and forgets those that are gone`() throws {
    let app = try ReloadedApp([
      "app.lua": """
      view.component("tag", { view = function() return view.label { text = "one" } end })
      transformer("loud", function(s) return s .. "!" end)
      """
    ])
    #expect(
      app.save([
        "app.lua":
          "view.component('tag', { view = function() return view.label { text = 'two' } end })"
      ]).error == nil)
    #expect(try app.value("view.tag {}.subviews[1].text") == "two")
    #expect(throws: TideError.self) { try app.run("bind('a.b -> a.c | loud')") }
  }

  @Test func `lets bindings of other modules fail whose property is gone`() throws {
    let app = try ReloadedApp([
      "app.lua": "require 'a' require 'b'", "a.lua": "model 'm' { n = 1, k = 2 }",
      "b.lua": "model 'v' { t = '' } bind('m.k -> v.t')",
    ])
    let report = app.save(["a.lua": "model 'm' { n = 1 }"])
    #expect(report.error == nil)
    #expect(app.runtime.errors.map(\.message) == ["m has no property \"k\"; there is only n"])
  }

  @Test func `counts the errors of the old version no more`() throws {
    let app = try ReloadedApp(["app.lua": "effect(function() error 'old' end)"])
    #expect(app.runtime.errors.count == 1)
    app.save(["app.lua": "print 'good'"])
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `can be asked for by name`() throws {
    let app = try ReloadedApp(["app.lua": "require 'a'", "a.lua": "print 'a'"])
    #expect(try app.runtime.reload(["a"]).reloaded == 2)
    #expect(app.printed == ["a", "a"])
    let error = #expect(throws: TideError.self) { try app.runtime.reload(["b"]) }
    #expect(error?.message == "no module \"b\" is loaded")
  }

  @Test func `keeps the host's objects`() throws {
    let folder = try ScratchFolder()
    let path = folder.write("observe(models.host, 'n', function(n) print(n) end)", to: "app.lua")
    let runtime = try Runtime(file: path)
    let host = DataObject(
      unjoined: Shape(name: "Host", properties: [PropertyDescription("n", .number)]))
    try runtime.register("host", host)
    try runtime.load()
    try host.set("n", .integer(3))
    try runtime.reload()
    #expect(try runtime.evaluate("models.host.n", as: Int.self) == 3)
  }

  @Test func `lets modules go that nothing requires any more`() throws {
    let app = try ReloadedApp([
      "app.lua": "require 'part'", "part.lua": "model 'part' { n = 1 } of_part = 1 require 'deep'",
      "deep.lua": "every(1, function() end)", "asked.lua": "asked = 1",
    ])
    try app.run("require 'asked' models.part.n = 5")
    let report = app.save(["app.lua": "print 'alone'"])
    #expect((report.reloaded, report.modules, report.disposed) == (1, 2, 1))
    #expect(throws: TideError.self) { try app.value("models.part") }
    #expect(try app.value("of_part") == "nil")
    #expect(try app.value("asked") == "1")
    #expect(app.runtime.loop.hasWork == false)
    app.save(["app.lua": "require 'part' error 'no'"])
    #expect(throws: TideError.self) { try app.value("models.part") }
    app.save(["app.lua": "require 'part' "])
    #expect(try app.value("models.part.n") == "5")
    // Declared by the main script instead; and by both, which is a mistake.
    #expect(app.save(["app.lua": "model 'part' { n = 1 }"]).error == nil)
    #expect(try app.value("models.part.n") == "5")
    #expect(
      app.save(["app.lua": "model 'part' { n = 1 } require 'part'"]).error?.code == .duplicate)
    #expect(try app.value("models.part.n") == "5")
    #expect(app.save(["app.lua": "model 'part' { n = 1 } -- again"]).error == nil)
  }

  @Test func `shows what the new version shows, be it nothing`() throws {
    let app = try ReloadedApp([
      "app.lua": "require 'ui'", "ui.lua": "show(view.label { text = 'a' })",
    ])
    #expect(TextPicture.of(app.runtime).hasPrefix("a"))
    app.save(["app.lua": "require 'ui' "])
    #expect(TextPicture.of(app.runtime).hasPrefix("a"))
    #expect(app.save(["ui.lua": "return 1"]).error == nil)
    #expect(TextPicture.of(app.runtime).isEmpty)
    app.save(["ui.lua": "show(view.label { text = 'b' }) error 'no'"])
    #expect(TextPicture.of(app.runtime).isEmpty)
    app.save(["ui.lua": "show(view.label { text = 'b' })"])
    #expect(TextPicture.of(app.runtime).hasPrefix("b"))
  }

  @Test func `takes back the first view that is shown`() throws {
    let app = try ReloadedApp(["app.lua": "print 'none'"])
    app.save(["app.lua": "show(view.label { text = 'a' }) error 'no'"])
    #expect(app.runtime.scene == nil)
    app.save(["app.lua": "show(view.label { text = 'a' })"])
    #expect(TextPicture.of(app.runtime).hasPrefix("a"))
  }

  @Test func `leaves nothing behind, however often`() throws {
    let text = """
      local P = class "P" { n = 1, twice = computed(function(s) return s.n * 2 end) }
      local m = model "m" { n = 1, p = P { n = 2 } }
      local o = object { c = computed(function(s) return m.n end), f = function() end }
      view.component("own", { properties = { a = 1 }, view = function(s) return view.label {} end })
      context(m, "c", function() observe(m, "n", function() end) end)
      bind("m.n -> label.text | tostring")
      every(5, function() return o end)
      hot.data.x = (hot.data.x or 0) + 1
      return view.column { view.label { id = "label" }, view.own { a = 2 } }
      """
    let app = try ReloadedApp(["app.lua": text.replacing(" | tostring", with: "")])
    for _ in 0..<20 { try app.runtime.reload() }
    func measure() throws -> (Int, Int, Int) {
      for _ in 0..<3 {
        app.runtime.lua.collectGarbage()
        app.runtime.settle()
      }
      return (
        try app.runtime.evaluate("collectgarbage('count') * 1024 // 1 | 0", as: Int.self),
        app.runtime.graph.counts.slots, app.runtime.graph.counts.edges
      )
    }
    let before = try measure()
    for _ in 0..<200 { try app.runtime.reload() }
    let after = try measure()
    #expect(after.1 == before.1)
    #expect(after.2 == before.2)
    #expect(after.0 < before.0 + 4096, "\(before.0) \(after.0)")
  }

  @Test(arguments: [
    "after(0.1, lib.fail)", "every(0.1, lib.fail)", "effect(lib.fail)",
    "notification.observe('n', lib.fail) notification.post 'n'", "spawn(lib.fail)",
  ])
  func `have no errors left that they have had in another module`(call: String) throws {
    let app = try ReloadedApp(
      [
        "app.lua": "local lib = require 'lib' \(call)",
        "lib.lua": "return { fail = function() error 'bad' end }",
      ], clock: VirtualClock())
    app.runtime.loop.advance(by: 0.15)
    app.runtime.turn(timeout: 0)
    #expect(app.runtime.errors.map(\.message) == ["bad"])
    #expect(app.save(["app.lua": "local lib = require 'lib'"]).error == nil)
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `look for views that are there when all is shown`() throws {
    let text = """
      return view.column { view.label { id = "l", text = function() return views.f.text end },
        view.field { id = "f", text = "x" } }
      """
    let app = try ReloadedApp(["app.lua": text])
    #expect(try app.value("views.l.text") == "x")
    for round in 1...2 {
      let saved = text + String(repeating: "\n", count: round)
      #expect(app.save(["app.lua": saved]).error == nil)
      #expect(try app.value("views.l.text") == "x")
      try app.run("views.f.text = 'y\(round)'")
      #expect(try app.value("views.l.text") == "y\(round)")
      try app.run("views.f.text = 'x'")
    }
    #expect(app.save(["app.lua": text.replacing("views.f", with: "views.g")]).error != nil)
    #expect(try app.value("views.l.text") == "x")
    #expect(app.runtime.errors.isEmpty)
  }
}
