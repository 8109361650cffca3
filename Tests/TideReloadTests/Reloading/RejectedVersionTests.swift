import TestFolders
import Testing
import TideBindings
import TideScript
import TideViews

@testable import TideReload

@Suite struct `A version that is no good` {
  static let good = """
    local m = model "m" { n = 1, l = { 1, 2 }, d = dict { a = 1 } }
    hot.data.list = hot.data.list or { "kept" }
    seen = 0
    observe(m, "n", function() seen = seen + 1 end)
    every(1000, function() end)
    transformer("up", function(v) return v + 1 end)
    bind("m.n -> label.text | up")
    return view.column { view.label { id = "label" } }
    """

  /// What is wrong with it, and what it says.
  static let bad: [(text: String, message: String)] = [
    ("local x = (", "unexpected symbol"),
    ("error('halt')", "halt"),
    ("effect(function() error('in an effect') end)", "in an effect"),
    ("bind('m.nope -> label.text')", "nope"),
    ("bind('nobody.n -> label.text')", "nobody"),
    (
      "bind('m.n -> label.text', { transform = function() error('in a transformer') end })",
      "in a transformer"
    ),
    (
      "view.component('own', { view = function() error('in a view') end }) view.own {}", "in a view"
    ),
    (
      "return view.list { items = { 'a', 'b' }, cell = function() error('in a row') end }",
      "in a row"
    ),
    ("require 'missing'", "no module \"missing\""),
    ("model 'm' { n = 1 }.nope = 3", "nope"),
    (
      "observe(models.m, 'n', function() error('in an observer') end) models.m.n = 77",
      "in an observer"
    ),
    (
      "local c = computed(function() error('in a computed value') end) local o = object { c = c } effect(function() return o.c end)",
      "in a computed value"
    ),
  ]

  @Test(arguments: bad)
  func `leaves everything as it was`(text: String, message: String) throws {
    let app = try ReloadedApp(["app.lua": Self.good])
    try app.run("models.m.n = 5 models.m.l:append(3) models.m.d.b = 2 o = models.m")
    let dump = try app.value("dump(models.m)")
    let picture = TextPicture.of(app.runtime)
    let report = app.save([
      "app.lua": """
      local m = model "m" { n = 2, l = { 7 }, d = dict { z = 1 }, extra = "x" }
      m.n = 99
      m.l:clear()
      m.d.a = nil
      m.d.q = 4
      hot.data.list[1] = "changed"
      hot.data.other = true
      seen = "changed"
      fresh = true
      transformer("up", function(v) return v + 100 end)
      context("named", function() bind("m.n -> m.extra") end)
      class "C" {}
      notification.observe("x", function() end)
      after(0, function() print "later" end)

      """ + text
    ])
    #expect(report.error?.message.contains(message) == true, "\(report.error as Any)")
    #expect(report.error?.location?.file.hasSuffix("app.lua") == true, "\(report.error as Any)")
    #expect(report.line == "not reloaded: the old version keeps running")
    #expect(try app.value("dump(models.m)") == dump)
    #expect(try app.value("models.m == o") == "true")
    #expect(try app.value("fresh") == "nil")
    #expect(try app.value("pcall(function() return models.m.extra end)") == "false")
    #expect(TextPicture.of(app.runtime) == picture)
    #expect(app.runtime.errors.isEmpty, "\(app.runtime.errors)")
    // The old version goes on.
    #expect(try app.value("seen") == "1")
    try app.run("models.m.n = 6")
    #expect(try app.value("seen") == "2")
    #expect(try app.value("views.label.text") == "7")
    app.runtime.settle()
    #expect(app.printed.isEmpty)
    // And is followed by the next good one.
    let next = app.save(["app.lua": Self.good + "\n"])
    #expect(next.error == nil)
    #expect(try app.value("models.m.n") == "6")
    try app.run("models.m.n = 8")
    #expect(try app.value("seen") == "1")
    #expect(try app.value("views.label.text") == "9")
  }

  @Test func `leaves hot data as it was`() throws {
    let app = try ReloadedApp(["app.lua": "d = hot.data d.list = { 1, { 2 } } d.n = 1 d.self = d"])
    app.save([
      "app.lua":
        "local d = hot.data d.list[2][1] = 'no' d.list[3] = 3 d.n = nil d.new = 1 error 'x'"
    ])
    #expect(try app.value("d.list[2][1] .. #d.list .. d.n .. tostring(d.new)") == "221nil")
    #expect(try app.value("d.self == d") == "true")
  }

  @Test func `takes back what observers of other modules have made of it`() throws {
    let app = try ReloadedApp([
      "app.lua": "require 'counter' model 'm' { n = 1 }",
      "counter.lua":
        "model 'c' { writes = 0 } function watch() observe(models.m, 'n', function() models.c.writes = models.c.writes + 1 end) end",
    ])
    try app.run("watch() models.m.n = 2")
    #expect(try app.value("models.c.writes") == "1")
    app.save([
      "app.lua": "require 'counter' local m = model 'm' { n = 1 } m.n = 3 m.n = 4 error 'no'"
    ])
    #expect(try app.value("models.m.n") == "2")
    #expect(try app.value("models.c.writes") == "1")
  }

  @Test func `in a module leaves those alone that would have followed`() throws {
    let app = try ReloadedApp([
      "app.lua": "local a = require 'a' print('main', a.v)", "a.lua": "return { v = 1 }",
      "b.lua": "return 1",
    ])
    try app.run("A = require 'a'")
    let report = app.save(["a.lua": "return { v = 2, w = oops.x }"])
    #expect(report.error?.location?.line == 1)
    #expect(app.printed == ["main\t1"])
    #expect(try app.value("A.v") == "1")
    // What was changed for the bad version counts when another file makes it good.
    app.folder.write("return { v = 3 }", to: "a.lua")
    #expect(app.save(["app.lua": "local a = require 'a' print('main', a.v) "]).error == nil)
    #expect(app.printed == ["main\t1", "main\t3"])
    #expect(try app.value("A.v") == "3")
  }

  @Test func `may want a file that is not there yet`() throws {
    let app = try ReloadedApp(["app.lua": "print 'one'"])
    #expect(app.save(["app.lua": "print((require 'later'))"]).error?.code == .module)
    #expect(app.runtime.modulePaths.contains { $0.hasSuffix("later.lua") })
    #expect(app.save(["later.lua": "return 'here'"]).error == nil)
    #expect(app.printed == ["one", "here"])
  }

  @Test func `is not one whose error the old version had as well`() throws {
    let app = try ReloadedApp(["app.lua": "bind('nobody.n -> nobody.m') print 'one'"])
    #expect(app.runtime.errors.count > 0)
    #expect(app.save(["app.lua": "bind('nobody.n -> nobody.m') print 'two'"]).error == nil)
    #expect(app.printed == ["one", "two"])
  }
}

/// What an app shows, as text.
enum TextPicture {
  static func of(_ runtime: Runtime) -> String {
    let renderer = TextRenderer(size: Size(width: 20, height: 4))
    guard let scene = runtime.scene, (try? scene.mount(renderer)) != nil else { return "" }
    defer { scene.unmount() }
    return renderer.text
  }
}
