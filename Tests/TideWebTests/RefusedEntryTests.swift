import Testing
import TideBindings
import TideScript

@testable import TideWeb

/// What is refused holds back who has entered it, and nobody else.
@Suite struct RefusedEntryTests {
  private static let app = """
    rows = list { { name = "ann", n = 5 }, { name = "bob", n = 5 } }
    c = controller.list { name = "c", content = rows, selectionIndex = 1 }
    basket = model "basket" { count = 1 }
    submitted = 0
    show(view.column {
      view.list { height = 3, bindTo = {
        items = "c.arrangedObjects", selectedIndex = "<> c.selectionIndex" } },
      view.numberField { label = "number", bindTo = { value = "<> c.selection.n" } },
      view.form { on = { submit = function() submitted = submitted + 1 end },
        view.numberField { label = "count", bindTo = { value = "<> basket.count" } },
        view.button { title = "Order", role = "submit" } },
    })
    """

  private func select(row: Int, in page: LawPage) throws {
    let list = try page.mirror.node("list")
    page.act("select", list, ",\(row),\"\",\(try #require(page.mirror.row(row, of: list)))")
  }

  private func read(_ stage: LawStage, _ expression: String) throws -> String {
    try stage.runtime.evaluate("return tostring(\(expression))", as: String.self)
  }

  private func stage() throws -> LawStage {
    let stage = try LawStage(Self.app)
    for _ in 0..<2 { try stage.open() }
    try stage.settle()
    return stage
  }

  @Test func `its author selects nothing else, and is led to it`() throws {
    let stage = try stage()
    defer { stage.close() }
    let ann = stage.pages[0]
    let (list, field) = (
      try ann.mirror.node("list"), try ann.mirror.node("numberField", "number")
    )
    ann.type("5x", in: field)
    try stage.settle()
    let cell = try #require(ann.mirror.row(1, of: list))
    // As a browser does: the list has the focus before the app has answered.
    ann.act("select", list, ",1,\"\",\(cell)", focuses: false)
    ann.focus(list)
    try stage.settle()
    #expect(try read(stage, "c.selectionIndex .. rows[1].n") == "15")
    #expect(ann.focus == field)
    #expect(ann.text(of: field) == "5x")
    #expect(ann.mirror.property("error", of: field) != nil)
  }

  @Test func `another one selects what they like`() throws {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    let list = try bob.mirror.node("list")
    ann.type("5x", in: try ann.mirror.node("numberField", "number"))
    try stage.settle()
    let cell = try #require(bob.mirror.row(1, of: list))
    bob.act("select", list, ",1,\"\",\(cell)")
    try stage.settle()
    #expect(try read(stage, "c.selectionIndex .. rows[1].n .. rows[2].n") == "255")
    #expect(bob.focus == list)
    // She goes on with what she has entered.
    #expect(ann.text(of: try ann.mirror.node("numberField", "number")) == "5x")
  }

  @Test func `its author goes on with it after another one's choice`() throws {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    let field = try ann.mirror.node("numberField", "number")
    let list = try bob.mirror.node("list")
    ann.type("5x", in: field)
    try stage.settle()
    bob.act("select", list, ",1,\"\",\(try #require(bob.mirror.row(1, of: list)))")
    try stage.settle()
    ann.type("5x7", in: field)
    try stage.settle()
    #expect(try read(stage, "rows[1].n .. rows[2].n") == "55")
    #expect(ann.text(of: field) == "5x7")
    ann.type("57", in: field)
    try stage.settle()
    #expect(try read(stage, "rows[1].n .. ' ' .. rows[2].n") == "57 5")
    ann.focus(list)
    try stage.settle()
    #expect(ann.text(of: field) == "5")
  }

  @Test func `its author is told who types elsewhere before another one's choice`() throws {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    ann.type("5x", in: try ann.mirror.node("numberField", "number"))
    try stage.settle()
    ann.type("12", in: try ann.mirror.node("numberField", "count"))
    try stage.settle()
    try select(row: 1, in: bob)
    try stage.settle()
    #expect(ann.notices.last == "\(PageNotice.refused.rawValue) 5x")
    #expect(try read(stage, "rows[1].n .. rows[2].n .. ' ' .. basket.count") == "55 12")
  }

  @Test func `its author is told when its field goes for good`() throws {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    let field = try ann.mirror.node("numberField", "number")
    ann.type("5x", in: field)
    try stage.settle()
    try select(row: 1, in: bob)
    try stage.settle()
    ann.type("5x7", in: field)
    try stage.settle()
    _ = try stage.runtime.evaluate("show(view.label { text = 'over' })", as: Value.self)
    try stage.settle()
    #expect(ann.notices.last == "\(PageNotice.refused.rawValue) 5x7")
  }

  @Test func `one that was given up says nothing of what is typed later`() throws {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    let field = try ann.mirror.node("numberField", "number")
    ann.type("5x", in: field)
    try stage.settle()
    ann.press("Escape")
    try stage.settle()
    #expect(ann.text(of: field) == "5")
    try select(row: 1, in: bob)
    try bob.line?.deliver()
    _ = try stage.runtime.evaluate("rows[1].n = 9", as: Value.self)
    try stage.turn()
    // Her page still shows the first record, and its former number.
    ann.type("57", in: field)
    try stage.settle()
    #expect(try read(stage, "rows[1].n .. ' ' .. rows[2].n") == "97 5")
    #expect(ann.notices.isEmpty)
  }

  @Test func `its author is told who leaves it after another one's choice`() throws {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    let (field, list) = (
      try ann.mirror.node("numberField", "number"), try bob.mirror.node("list")
    )
    ann.type("5x", in: field)
    try stage.settle()
    bob.act("select", list, ",1,\"\",\(try #require(bob.mirror.row(1, of: list)))")
    try stage.settle()
    ann.focus(try ann.mirror.node("numberField", "count"))
    try stage.settle()
    #expect(ann.notices.last == "\(PageNotice.refused.rawValue) 5x")
    #expect(ann.text(of: field) == "5")
    #expect(try read(stage, "rows[1].n .. rows[2].n") == "55")
  }

  @Test func `a form is submitted by another one, and not by its author`() throws {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    let (field, button) = (
      try ann.mirror.node("numberField", "count"), try ann.mirror.node("button", "Order")
    )
    ann.type("1x", in: field)
    try stage.settle()
    ann.act("press", button, focuses: false)
    ann.focus(button)
    try stage.settle()
    #expect(try read(stage, "submitted") == "0")
    bob.act("press", button)
    try stage.settle()
    #expect(try read(stage, "submitted .. basket.count") == "11")
    #expect(ann.text(of: field) == "1x")
  }
}
