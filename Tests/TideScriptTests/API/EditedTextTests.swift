import Testing
import TideBindings
import TideScript

/// A text that the model makes another one of: trimmed, in capitals.
@Suite struct EditedTextTests {
  private static let app = """
    local function trimmed(_, text) return (text:gsub("^%s+", ""):gsub("%s+$", "")) end
    Person = class "Person" { name = property { default = "", validate = trimmed } }
    one, two = Person { name = "one" }, Person { name = "two" }
    current = model "current" { item = property { nullable = true } }
    current.item = one
    note = model "note" { title = property { default = "t", validate = trimmed }, text = "" }
    transformer "loud" {
      transform = function(text) return text and text:upper() end,
      reverse = function(text) return text and text:upper() end,
    }
    show(view.column {
      view.field { id = "nested", bindTo = { text = "<> current.item.name" } },
      view.field { id = "plain", bindTo = { text = "<> note.title" } },
      view.field { id = "loud", bindTo = { text = "<> note.text | loud" } },
      view.button { title = "last" },
    })
    """

  private func shown(typing keys: String, in field: String) throws -> ShownApp {
    let app = try ShownApp(Self.app)
    try app.run("views.\(field):focus()")
    try app.press("End " + keys)
    return app
  }

  @Test(arguments: [("nested", "one.name", "one"), ("plain", "note.title", "t")])
  func `a blank can be typed where the model takes blanks away`(
    field: String, property: String, text: String
  ) throws {
    let app = try shown(typing: "Space", in: field)
    #expect(try app.holds("views.\(field).text == '\(text) ' and \(property) == '\(text)'"))
    try app.press("x")
    #expect(try app.holds("views.\(field).text == '\(text) x' and \(property) == '\(text) x'"))
    try app.press("Space Space Tab")
    #expect(try app.holds("views.\(field).text == '\(text) x' and \(property) == '\(text) x'"))
    #expect(app.errors.isEmpty)
  }

  @Test func `capitals come into the model at once, and into the text at the end`() throws {
    let app = try shown(typing: "a Space b", in: "loud")
    #expect(try app.holds("views.loud.text == 'a b' and note.text == 'A B'"))
    try app.press("Tab")
    #expect(try app.holds("views.loud.text == 'A B' and note.text == 'A B'"))
  }

  @Test func `another record shows as it is, now and at the end of the editing`() throws {
    let app = try shown(typing: "Space", in: "nested")
    try app.run("current.item = two")
    #expect(try app.holds("views.nested.text == 'two'"))
    try app.press("Tab")
    #expect(try app.holds("views.nested.text == 'two' and two.name == 'two' and one.name == 'one'"))
    try app.run("current.item = one")
    #expect(try app.holds("views.nested.text == 'one'"))
  }

  @Test func `a record that goes and comes back in the middle shows as it is`() throws {
    let app = try shown(typing: "Space", in: "nested")
    try app.run("current.item = nil")
    try app.run("current.item = one")
    try app.press("Tab")
    #expect(try app.holds("views.nested.text == 'one' and one.name == 'one'"))
  }

  @Test func `what another writes shows at once`() throws {
    let app = try shown(typing: "Space", in: "plain")
    try app.run("note.title = ' other '")
    #expect(try app.holds("views.plain.text == 'other'"))
    try app.press("Tab")
    #expect(try app.holds("views.plain.text == 'other' and note.title == 'other'"))
  }

  @Test func `undo shows what the model has then`() throws {
    let app = try shown(typing: "x Space", in: "plain")
    try app.press("Ctrl-Z")
    #expect(try app.holds("note.title == views.plain.text:match('^%s*(.-)%s*$')"))
    try app.press("Tab")
    #expect(try app.holds("note.title == views.plain.text"))
  }
}
