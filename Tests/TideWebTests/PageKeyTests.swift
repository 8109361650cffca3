import Testing
import TideBindings
import TideScript

@testable import TideWeb

/// What pages do at keys that no view takes.
@Suite struct PageKeyTests {
  private static let app = """
    stock = list {}
    for number = 1, 300 do
      stock:append(object { name = "fruit " .. number, price = -number })
    end
    show(view.column {
      view.field { label = "other" },
      view.table { id = "stock", items = stock, height = 5, selectionMode = "many", columns = {
        { title = "Name", path = "name" }, { title = "Price", path = "price" },
      } },
    })
    """

  /// A page in which the first row is selected, and the number of its table.
  private func shown(_ script: String = PageKeyTests.app) throws -> (LawStage, LawPage, table: Int)
  {
    let stage = try LawStage(script)
    let page = try stage.open()
    try stage.settle()
    let table = try page.mirror.node("table")
    page.act("select", table, ",0,\"\",\(page.mirror.row(0, of: table) ?? 0)")
    try stage.settle()
    return (stage, page, table)
  }

  private func selected(_ stage: LawStage) throws -> String {
    try stage.runtime.evaluate("tostring(views.stock.selectedIndex)", as: String.self)
  }

  @Test func `all chosen rows are copied, also those that the page does not have`() throws {
    let (stage, page, _) = try shown()
    defer { stage.close() }
    page.press("Ctrl-C")
    try stage.settle()
    #expect(page.mirror.copied == ["fruit 1\t-1"])
    page.press("Ctrl-A")
    page.press("Ctrl-C")
    try stage.settle()
    let lines = page.mirror.copied.last?.split(separator: "\n") ?? []
    #expect(lines.count == 300)
    #expect(lines.last == "fruit 300\t-300")
  }

  @Test func `whole tables are printed, below their headings`() throws {
    let (stage, page, table) = try shown()
    defer { stage.close() }
    page.press("Ctrl-P")
    try stage.settle()
    let printed = try #require(page.mirror.printed.first)
    #expect(page.mirror.printed.count == 1)
    #expect(printed[0].integer == table)
    #expect(printed[1] == .array([.string("Name"), .string("Price")]))
    #expect(printed.count == 302)
    #expect(printed.last == .array([.string("fruit 300"), .string("-300")]))
  }

  @Test func `tables that the browser's own menu leaves out are printed, whatever Ctrl-P does`()
    throws
  {
    let script = Self.app.replacing(
      "show(view.column {",
      with: """
        taken = 0
        show(view.column { keys = { ["Ctrl-P"] = function() taken = taken + 1 end },
        """)
    let (stage, page, _) = try shown(script)
    defer { stage.close() }
    page.press("Ctrl-P")
    try stage.settle()
    #expect(page.mirror.printed.isEmpty)
    page.line?.send("[100,\"print\",0]")
    try stage.settle()
    #expect(page.mirror.printed.first?.count == 302)
    #expect(try stage.runtime.evaluate("taken", as: Int.self) == 1)
  }

  @Test func `more rows than are printed are told of`() throws {
    let script = Self.app.replacing("number = 1, 300", with: "number = 1, 5001")
    let (stage, page, _) = try shown(script)
    defer { stage.close() }
    page.press("Ctrl-P")
    try stage.settle()
    #expect(page.mirror.printed.first?.count == 5_002)
    #expect(page.notices.last == "These are the first 5,000 rows only.")
  }

  @Test(arguments: [
    ("plain", "plain"), ("=1+1", "'=1+1"), ("@SUM(A1)", "'@SUM(A1)"), ("-2+3", "'-2+3"),
    ("+x", "'+x"), ("-5", "-5"), ("-1,234.50", "-1,234.50"), ("+7%", "+7%"), ("-", "'-"),
    ("\t=1", "' =1"), ("one\ntwo", "one two"), ("", ""),
  ])
  func `no copied text becomes a formula, and numbers stay numbers`(text: String, copied: String) {
    #expect(WebRenderer.plain(text) == copied)
  }

  @Test(arguments: [
    ("plain", "plain"), ("5\" disk", "\"5\"\" disk\""), ("\"", "\"\"\"\""),
    ("\"=1+1\"", "\"\"\"=1+1\"\"\""), ("a\tb", "\"a\tb\""), ("a\nb", "\"a\nb\""), ("", ""),
  ])
  func `a copied quote opens no text of several cells`(text: String, copied: String) {
    #expect(WebRenderer.quoted(text) == copied)
  }

  @Test func `what is on its way to a page is not printed or copied once more`() throws {
    let (stage, page, table) = try shown()
    defer { stage.close() }
    for _ in 0..<200 {
      page.press("Ctrl-C")
      page.press("Ctrl-P")
    }
    try stage.settle()
    #expect(page.mirror.printed.count == 1)
    #expect(page.mirror.copied == ["fruit 1\t-1"])
    // Other rows are.
    page.press("Ctrl-C")
    page.act("select", table, ",1,\"\",\(page.mirror.row(1, of: table) ?? 0)")
    page.press("Ctrl-C")
    page.press("Ctrl-P")
    try stage.settle()
    #expect(page.mirror.printed.count == 2)
    #expect(page.mirror.copied == ["fruit 1\t-1", "fruit 1\t-1", "fruit 2\t-2"])
  }

  @Test func `a bar finds in all rows, for the person who opens it`() throws {
    let (stage, page, _) = try shown()
    defer { stage.close() }
    let other = try stage.open()
    try stage.settle()
    page.press("Ctrl-F")
    try stage.settle()
    let field = try page.mirror.node("field", "Find")
    #expect(page.focus == field)
    page.type("T 250", in: field)
    try stage.settle()
    #expect(try selected(stage) == "250")
    page.type("T 25", in: field)
    page.press("Enter")
    try stage.settle()
    #expect(try selected(stage) == "251")
    // Nobody else has it or closes it.
    let dialog = try other.mirror.node("dialog")
    #expect(other.mirror[dialog]?.isWithheld == true)
    #expect(!other.received.contains("T 25"))
    other.press("Escape")
    try stage.settle()
    #expect(throws: Never.self) { try page.mirror.node("dialog") }
    page.press("Escape")
    try stage.settle()
    #expect(throws: PageMirror.Broken.self) { try page.mirror.node("dialog") }
    #expect(page.focus == (try page.mirror.node("table")))
  }

  @Test func `what keys do is shown to the person who asks`() throws {
    let (stage, page, _) = try shown()
    defer { stage.close() }
    let other = try stage.open()
    try stage.settle()
    page.press("?")
    try stage.settle()
    #expect(page.mirror.openedModals.count == 1)
    #expect(other.mirror.openedModals.isEmpty)
    page.press("Escape")
    try stage.settle()
    #expect(page.mirror.openedModals.isEmpty)
  }
}
