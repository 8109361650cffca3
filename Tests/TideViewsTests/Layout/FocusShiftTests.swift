import Testing
import TideBindings

@testable import TideViews

@Suite struct FocusShiftTests {
  private func fields(_ count: Int) -> [FieldView] { (1...count).map { FieldView("field \($0)") } }

  @Test(arguments: [ViewClass.column, .form, .dialog])
  func `what has the focus is in sight where there is not room for all`(container: ViewClass) throws
  {
    let fields = fields(12)
    let shown = try ShownView(try container.make(fields), 30, 6)
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
