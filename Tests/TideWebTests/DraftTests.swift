import Testing
import TideBindings
import TideScript

@testable import TideWeb

/// What is typed in a page and in no record: after a restart, after the record has gone, and when it
/// is given up.
@Suite struct DraftTests {
  private static let app = """
    Row = class "Row" { title = "", n = 1 }
    desk = model "desk" { note = "first", n = 1, rows = list { Row { title = "a" }, Row { title = "b" } } }
    c = controller.list { name = "c", content = "desk.rows", selectionIndex = 1 }
    show(view.column {
      view.field { label = "note", bindTo = { text = { path = "<> desk.note", continuous = false } } },
      view.field { label = "title", bindTo = { text = "<> c.selection.title" } },
      view.numberField { label = "n", maximum = 9, bindTo = { value = "<> desk.n" } },
    })
    """

  private func read(_ stage: LawStage, _ expression: String) throws -> String {
    try stage.runtime.evaluate("return tostring(\(expression))", as: String.self)
  }

  private func run(_ stage: LawStage, _ script: String) throws {
    _ = try stage.runtime.evaluate(script, as: Value.self)
    try stage.turn()
    try stage.settle()
  }

  private func stage() throws -> (LawStage, LawPage) {
    let stage = try LawStage(Self.app)
    let page = try stage.open()
    try stage.settle()
    return (stage, page)
  }

  /// The name of the draft of a first run of the app, in which something is typed.
  private func draftName(in label: String, _ className: String = "field") throws -> String? {
    let (stage, page) = try stage()
    defer { stage.close() }
    let field = try page.mirror.node(className, label)
    #expect(page.mirror.property("draft", of: field) == nil)
    page.type(page.text(of: field) + "x", in: field)
    try stage.settle()
    return page.mirror.property("draft", of: field)?.text
  }

  @Test func `a draft goes into the same field of the next run`() throws {
    let name = try #require(try draftName(in: "note"))
    let (stage, page) = try stage()
    defer { stage.close() }
    page.bring("first and more", named: name)
    try stage.settle()
    let field = try page.mirror.node("field", "note")
    #expect(page.text(of: field) == "first and more")
    #expect(try read(stage, "desk.note") == "first")
    #expect(page.focus == field)
    page.press("Enter")
    try stage.settle()
    #expect(try read(stage, "desk.note") == "first and more")
    #expect(!page.received.contains("begun anew, without"))
  }

  @Test func `a draft for a value that is another one now is told`() throws {
    let name = try #require(try draftName(in: "note"))
    let (stage, page) = try stage()
    defer { stage.close() }
    try run(stage, "desk.note = 'theirs'")
    page.bring("first and more", named: name)
    page.bring("something else", named: nil)
    try stage.settle()
    #expect(page.text(of: try page.mirror.node("field", "note")) == "theirs")
    #expect(page.received.contains("begun anew, without"))
    #expect(page.received.contains("first and more\\nsomething else"))
  }

  @Test func `a refused entry is a draft until it is given up by Escape`() throws {
    let (stage, page) = try stage()
    defer { stage.close() }
    let field = try page.mirror.node("numberField", "n")
    page.type("1x", in: field)
    try stage.settle()
    #expect(page.mirror.property("draft", of: field) != nil)
    #expect(page.mirror.property("keys", of: field)?.items.map(\.text).contains("Escape") == true)
    page.press("Escape")
    try stage.settle()
    #expect(page.text(of: field) == "1")
    #expect(page.mirror.property("draft", of: field) == nil)
  }

  @Test func `a draft that is given up by Escape is in no record`() throws {
    let (stage, page) = try stage()
    defer { stage.close() }
    let field = try page.mirror.node("field", "note")
    page.type("first and more", in: field)
    try stage.settle()
    page.press("Escape")
    try stage.settle()
    #expect(page.text(of: field) == "first")
    page.focus(try page.mirror.node("field", "title"))
    try stage.settle()
    #expect(try read(stage, "desk.note") == "first")
  }

  @Test func `letters that are typed on after the record has gone are told with the others`() throws
  {
    let (stage, page) = try stage()
    defer { stage.close() }
    let field = try page.mirror.node("field", "title")
    page.type("a lo", in: field)
    try stage.settle()
    try run(stage, "desk.rows:remove(1)")
    for text in ["n", "g", "er"] {
      page.type(page.text(of: field) + text, in: field)
      try stage.settle()
    }
    #expect(try read(stage, "desk.rows[1].title") == "b")
    #expect(page.notices.last?.hasSuffix("nger") == true)
  }

  @Test func `whoever does something else goes on with the record that is there`() throws {
    let (stage, page) = try stage()
    defer { stage.close() }
    let (field, note) = (
      try page.mirror.node("field", "title"), try page.mirror.node("field", "note")
    )
    page.type("a lo", in: field)
    try stage.settle()
    try run(stage, "desk.rows:remove(1)")
    page.type(page.text(of: field) + "n", in: field)
    try stage.settle()
    page.focus(note)
    try stage.settle()
    try run(stage, "c.selectionIndex = 1")
    page.type("bc", in: field)
    try stage.settle()
    #expect(try read(stage, "desk.rows[1].title") == "bc")
  }
}
