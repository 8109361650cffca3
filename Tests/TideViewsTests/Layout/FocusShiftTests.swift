import Testing
import TideBindings

@testable import TideViews

@Suite struct FocusShiftTests {
  private func fields(_ count: Int) -> [FieldView] { (1...count).map { FieldView("field \($0)") } }

  @Test(arguments: ["column", "form", "dialog"])
  func `what has the focus is in sight where there is not room for all`(name: String) throws {
    let fields = fields(12)
    let container = try #require([ViewClass.column, .form, .dialog].first { $0.name == name })
    let shown = try ShownView(try ViewClass.column.make([container.make(fields)]), 30, 6)
    for field in fields + [fields[3], fields[11], fields[0]] {
      field.focus()
      _ = try shown.text
      #expect(field.layout.visible.height == 1, "\(field.text)")
      #expect(try shown.text.contains(field.text))
      #expect(shown.scene.frame.caret != nil)
    }
  }

  @Test func `so it is within columns within columns`() throws {
    let fields = fields(12)
    let inner = try ViewClass.column.make(Array(fields[4...]))
    let shown = try ShownView(try ViewClass.column.make(Array(fields[..<4]) + [inner]), 30, 4)
    for field in fields {
      field.focus()
      #expect(try shown.text.contains(field.text))
      #expect(field.layout.visible.height == 1, "\(field.text)")
    }
  }

  @Test func `what is in sight already moves nothing`() throws {
    let list = ListView(viewClass: .list)
    list[.items] = .object(ValueList((1...20).map { .string("row \($0)") }))
    list[.grow] = 1
    let shown = try ShownView(
      try ViewClass.column.make([LabelView("head"), list, LabelView("foot")]), 20, 6)
    let before = try shown.lines.map { $0.prefix(5) }
    list.focus()
    #expect(try shown.lines.map { $0.prefix(5) } == before)
  }

  @Test func `without the focus everything begins at the top`() throws {
    let fields = fields(12)
    let shown = try ShownView(try ViewClass.column.make(fields), 30, 6)
    fields[11].focus()
    #expect(try shown.lines.last == "field 12")
    #expect(try shown.lines.first == "field 7")
    shown.scene.resize(Size(width: 30, height: 12))
    #expect(try shown.lines.first == "field 1")
  }
}
