import Testing
import TideScript

@testable import TideReload

@Suite struct `After a version that is no good` {
  private static let text = """
    local m = model "m" { n = 1, text = "" }
    runs = 0
    effect(function() local _ = m.n runs = runs + 1 end)
    bind("m.n -> m.text")
    return view.column { view.label { id = "label" } }
    """

  @Test func `no effect of the old one runs for what was taken back`() throws {
    let app = try ReloadedApp(["app.lua": Self.text])
    app.save(["app.lua": "local m = model 'm' { n = 2, text = '' } m.n = 7 error 'no'"])
    #expect(try app.value("runs .. ' ' .. models.m.n") == "1 1")
    try app.run("models.m.n = 5")
    #expect(try app.value("runs .. ' ' .. models.m.text") == "2 5")
  }

  @Test func `placeholders are those of the old one`() throws {
    let text = """
      view.placeholders("label", { text = { null = "old" } })
      local m = model "m" { a = property {} }
      return view.label { id = "label", bindTo = { text = "m.a" } }
      """
    let app = try ReloadedApp(["app.lua": text])
    let other = text.replacing("old", with: "new")
    app.save(["app.lua": other.replacing("return", with: "error 'x' return")])
    try app.run("models.m.a = 1 models.m.a = nil")
    #expect(try app.value("views.label.text") == "old")
    app.save(["app.lua": text.replacing("\"old\"", with: "\"new\"")])
    #expect(try app.value("views.label.text") == "new")
    app.save(["app.lua": text.replacing("view.placeholders", with: "-- view.placeholders")])
    #expect(try app.value("views.label.text") == "")
  }

  @Test func `a controller's name is the old one's`() throws {
    let text = "c = controller.list { name = 'c', content = { 'a', 'b' } }"
    let app = try ReloadedApp(["app.lua": text])
    try app.run("held = c")
    app.save(["app.lua": text + " error 'no'"])
    #expect(try app.value("held == models.c") == "true")
    app.save(["app.lua": "print 'none'"])
    #expect(try app.value("pcall(function() return models.c.content end)") == "false")
  }

  @Test func `what is wrong with both versions is listed once`() throws {
    let text = "return view.label { bindTo = { text = 'nobody.name' } }"
    let app = try ReloadedApp(["app.lua": text])
    #expect(app.runtime.errors.count == 1)
    app.save(["app.lua": text + "\n"])
    #expect(app.runtime.errors.count == 1)
  }

  @Test func `rows that only the old one held may be gone`() throws {
    let text = """
      local Row = class "Row" { n = 0 }
      model "m" { rows = list { Row { n = 1 } } }
      """
    let app = try ReloadedApp(["app.lua": text])
    app.save(["app.lua": text + " models.m.rows = list {} collectgarbage() error 'no'"])
    #expect(try app.value("#models.m.rows .. models.m.rows[1].n") == "11")
  }
}
