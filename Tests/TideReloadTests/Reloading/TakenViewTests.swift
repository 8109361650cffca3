import Testing
import TideScript
import TideViews

@testable import TideReload

@Suite struct `A function that makes views inside of each other` {
  @Test(arguments: [
    "view.row { view.label { id = 'l', text = 'hi' } }",
    "view.row { function() return view.box { view.label { id = 'l', text = 'hi' } } end }",
    "view.row():add(view.label { id = 'l', text = 'hi' }, 1)",
    "view.card { view.label { id = 'l', text = 'hi' } }",
  ])
  func `does so in each version`(made: String) throws {
    let text = """
      view.component("card", { view = function(self, children) return view.row(children) end })
      local n = model "n" { n = 1 }
      return view.column { function() local n = n.n return \(made) end }
      """
    let app = try ReloadedApp(["app.lua": text])
    for round in 1...3 {
      #expect(app.save(["app.lua": text + String(repeating: "\n", count: round)]).error == nil)
      #expect(try app.value("views.l.text") == "hi")
      try app.run("models.n.n = models.n.n + 1")
      #expect(app.runtime.errors.isEmpty)
    }
  }
}

@Suite struct `A view of a module that is not run anew` {
  private static let files = [
    "app.lua": "local part = require 'part' return view.column { part.one, part.two, part.three }",
    "part.lua": """
    return {
      one = view.field { id = "one", text = "a" }, two = view.field { id = "two", text = "b" },
      three = view.label { text = "c" },
    }
    """,
  ]

  @Test func `moves to the new version's views`() throws {
    let app = try ReloadedApp(Self.files)
    try app.run("views.two:focus() views.two.text = 'typed'")
    app.save(["app.lua": "local part = require 'part' return view.row { part.two, part.one }"])
    #expect(try app.value("views.two.superview.class") == "row")
    #expect(try app.value("views.two.text") == "typed")
    #expect(app.runtime.scene?.focused === app.runtime.scene?.window.find("two"))
  }

  @Test(arguments: [
    "view.column { part.three, view.row { part.one, part.two }, part.three, view.label { text = function() error 'no' end } }",
    "view.row { view.column { part.two } , view.label { text = part.nothing.at_all } }",
  ])
  func `is where it was when that is no good`(views: String) throws {
    let app = try ReloadedApp(Self.files)
    try app.run("views.two:focus() views.two.text = 'typed'")
    let picture = TextPicture.of(app.runtime)
    let report = app.save(["app.lua": "local part = require 'part' return \(views)"])
    #expect(report.error != nil)
    #expect(TextPicture.of(app.runtime) == picture)
    #expect(app.runtime.scene?.focused != nil)
    #expect(app.runtime.scene?.focused === app.runtime.scene?.window.find("two"))
    #expect(app.save(["app.lua": Self.files["app.lua"].map { $0 + "\n" } ?? ""]).error == nil)
    #expect(TextPicture.of(app.runtime) == picture)
  }
}
