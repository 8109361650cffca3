import TideBindings
import Testing
import TideScript
import TideViews

@testable import TideReload

@Suite struct `Styles and themes over a reload` {
  private static let files = [
    "app.lua": "require 'styles'\nreturn view.label { text = 'x', style = 'danger' }",
    "styles.lua": "style.define('danger', { textColor = 'red' })",
  ]

  private func color(_ app: ReloadedApp) throws -> Color {
    _ = try app.picture()
    return try #require(app.runtime.scene).frame[0, 0].style.foreground
  }

  @Test func `a new definition shows at once`() throws {
    let app = try ReloadedApp(Self.files)
    #expect(try color(app) == .ansi(1))
    #expect(
      app.save(["styles.lua": "style.define('danger', { textColor = 'green' })"]).error == nil)
    #expect(try color(app) == .ansi(2))
  }

  @Test func `a bad version leaves the old definition`() throws {
    let app = try ReloadedApp(Self.files)
    let bad = "style.define('danger', { textColor = 'green' }) error 'no'"
    #expect(app.save(["styles.lua": bad]).error != nil)
    #expect(try color(app) == .ansi(1))
    #expect(app.save(["styles.lua": "style.define('danger', { textColor = 'rde' })"]).error != nil)
    #expect(try color(app) == .ansi(1))
  }

  @Test func `a version without a style that is used is rejected`() throws {
    let app = try ReloadedApp(Self.files)
    let error = try #require(app.save(["styles.lua": "local none = 1"]).error)
    #expect(error.message.contains("there is no style \"danger\""))
    #expect(try color(app) == .ansi(1))
    #expect(app.runtime.errors.isEmpty)
  }

  private static let themed = [
    "app.lua": """
    style.define("danger", { textColor = "red" })
    return view.label { id = "l", text = "x", style = "danger" }
    """,
    "themes/night.lua": "return { danger = { textColor = 'blue' } }",
  ]

  @Test func `a theme's file is read when it is chosen and when it is saved`() throws {
    let app = try ReloadedApp(Self.themed)
    try app.run("app.theme = 'night'")
    #expect(try color(app) == .ansi(4))
    let new = "return { danger = { textColor = 'green' } }"
    #expect(app.save(["themes/night.lua": new]).error == nil)
    #expect(try color(app) == .ansi(2))
    try app.run("app.theme = 'default'")
    #expect(try color(app) == .ansi(1))
  }

  @Test func `a theme stays over a reload of the app, and not over a reset`() throws {
    let app = try ReloadedApp(Self.themed)
    try app.run("app.theme = 'night' app.title = 'Night'")
    #expect(app.save(["app.lua": "\n" + Self.themed["app.lua", default: ""]]).error == nil)
    #expect(try color(app) == .ansi(4))
    #expect(app.runtime.scene?.title == "Night")
    try app.runtime.reset()
    #expect(try color(app) == .ansi(1))
    #expect(app.runtime.scene?.title == "")
  }

  @Test(arguments: [
    "return { danger = { textColor = 'gren' } }", "return { danger = { bald = true } }", "return 1",
    "return { [1] = {} }", "return {", "error 'no'",
  ])
  func `a bad version of a theme leaves the old one`(_ bad: String) throws {
    let app = try ReloadedApp(Self.themed)
    try app.run("app.theme = 'night'")
    let error = try #require(app.save(["themes/night.lua": bad]).error)
    #expect(error.location?.file.hasSuffix("themes/night.lua") == true)
    #expect(try color(app) == .ansi(4))
    #expect(app.save(["themes/night.lua": "return {}"]).error == nil)
    #expect(try color(app) == .ansi(1))
  }

  @Test func `texts follow a reload, and the locale stays`() throws {
    let files = [
      "app.lua":
        "require 'texts'\nreturn view.label { text = function() return translate 'Save' end }",
      "texts.lua": "strings { de = { Save = 'Sichern' } }",
    ]
    let app = try ReloadedApp(files)
    try app.run("app.locale = 'de'")
    #expect(try app.picture().hasPrefix("Sichern"))
    #expect(app.save(["texts.lua": "strings { de = { Save = 'Speichern' } }"]).error == nil)
    #expect(try app.picture().hasPrefix("Speichern"))
    #expect(app.save(["texts.lua": "strings { de = { Save = 'Falsch' } } error 'no'"]).error != nil)
    #expect(try app.picture().hasPrefix("Speichern"))
    #expect(try app.value("app.locale") == "de")
  }

  @Test func `an equal rich text is none that a handler has written`() throws {
    let text = "return view.label { id = 'l', text = rich { 'a', rich.bold 'b' } }"
    let app = try ReloadedApp(["app.lua": text])
    #expect(app.save(["app.lua": text + "\n"]).error == nil)
    #expect(try app.value("views.l.text == rich { 'a', rich.bold 'b' }") == "true")
    try app.run("views.l.text = rich.italic 'c'")
    #expect(app.save(["app.lua": text]).error == nil)
    #expect(try app.value("views.l.text == rich.italic 'c'") == "true")
  }
}
