import Testing
import TideScript
import TideViews

@testable import TideReload

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
