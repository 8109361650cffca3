import Testing
import TideBindings
import TideScript

@testable import TideWeb

/// Rows that people edit stay where they are, whatever others do meanwhile.
@Suite struct EditedRowTests {
  private static let app = """
    desk = model "desk" { note = "", rows = list {
      { name = "ann", done = false }, { name = "bob", done = false }, { name = "cid", done = false } } }
    c = controller.list { name = "c", content = desk.rows,
      filter = function(row) return not row.done end }
    open = desk.rows:filter(function(row) return not row.done end):sorted("name")
    local function cell()
      return view.cell { view.checkbox { bindTo = { isOn = "<> dataObject.done" } } }
    end
    show(view.column {
      view.list { height = 5, cell = cell, ITEMS },
      view.field { label = "note", bindTo = { text = "<> desk.note" } },
    })
    """

  private static let items = ["items = open", "bindTo = { items = 'c.arrangedObjects' }"]

  private func stage(_ items: String) throws -> LawStage {
    let stage = try LawStage(Self.app.replacing("ITEMS", with: items))
    for _ in 0..<2 { try stage.open() }
    try stage.settle()
    return stage
  }

  private func read(_ stage: LawStage, _ expression: String) throws -> String {
    try stage.runtime.evaluate("return tostring(\(expression))", as: String.self)
  }

  private func box(_ row: Int, of page: LawPage) throws -> Int {
    let cell = try #require(page.mirror.row(row, of: try page.mirror.node("list")))
    return try #require(
      page.mirror.ids.first { id in
        page.mirror[id]?.className == "checkbox"
          && page.mirror.path(to: id).contains { $0.id == cell }
      })
  }

  @Test(arguments: items)
  func `they stay while another one types elsewhere`(items: String) throws {
    let stage = try stage(items)
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    let box = try box(0, of: ann)
    ann.act("press", box)
    try stage.settle()
    let note = try bob.mirror.node("field", "note")
    bob.focus(note)
    try stage.settle()
    for text in ["n", "no"] {
      bob.type(text, in: note)
      try stage.settle()
      #expect(ann.mirror.canFocus(box))
    }
    ann.act("press", box)
    try stage.settle()
    #expect(try read(stage, "desk.rows[1].done") == "false")
    #expect(try read(stage, "desk.note") == "no")
  }

  @Test(arguments: items)
  func `two people hold a row each`(items: String) throws {
    let stage = try stage(items)
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    let (first, second) = (try box(0, of: ann), try box(1, of: bob))
    ann.act("press", first)
    try stage.settle()
    bob.act("press", second)
    try stage.settle()
    #expect(try read(stage, "desk.rows[1].done") == "true")
    #expect(try read(stage, "desk.rows[2].done") == "true")
    ann.act("press", first)
    bob.act("press", second)
    try stage.settle()
    #expect(try read(stage, "desk.rows[1].done") == "false")
    #expect(try read(stage, "desk.rows[2].done") == "false")
    // Whoever lets go lets their own row go.
    ann.act("press", first)
    bob.act("press", second)
    try stage.settle()
    ann.focus(try ann.mirror.node("field", "note"))
    try stage.settle()
    #expect(!bob.mirror.canFocus(first))
    #expect(bob.mirror.canFocus(second))
  }

  @Test(arguments: items)
  func `they are let go with a person who stays away`(items: String) throws {
    let stage = try stage(items)
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    let first = try box(0, of: ann)
    ann.act("press", first)
    try stage.settle()
    try stage.lose(ann, deliveredBefore: 0, isNoticed: true)
    stage.runtime.loop.advance(by: stage.renderer.idle + 1)
    try stage.turn()
    bob.focus(try bob.mirror.node("field", "note"))
    try bob.line?.deliver()
    try stage.turn()
    try bob.receive()
    #expect(!bob.mirror.canFocus(first))
  }
}
