import Testing
import TideBindings
import TideGraph

@testable import TideViews

@Suite struct RelativeSizeTests {
  private func make(
    _ viewClass: ViewClass, _ fields: [String: Value], _ subviews: [View] = []
  ) throws -> View {
    let view = try viewClass.make(subviews)
    for (name, value) in fields { try view.set(name, value) }
    return view
  }

  private func make(_ fields: [String: Value], _ subviews: [View] = []) throws -> View {
    try make(.view, fields, subviews)
  }

  private func rects(_ views: View..., in root: View, _ width: Int, _ height: Int) throws -> [Rect]
  {
    let shown = try ShownView(root, width, height)
    try shown.commit()
    return views.map(\.layout.rect)
  }

  @Test func `parts of a row are parts of its inner width`() throws {
    let (a, b) = (try make(["width": "50%"]), try make(["width": "25%"]))
    let row = try make(.row, ["padding": 2], [a, b])
    #expect(
      try rects(a, b, in: row, 44, 6)
        == [Rect(x: 2, y: 2, width: 20, height: 2), Rect(x: 22, y: 2, width: 10, height: 2)])
  }

  @Test func `parts give way to the spacing between them`() throws {
    let (a, b) = (try make(["width": "50%"]), try make(["width": "50%"]))
    let row = try make(.row, ["spacing": 2], [a, b])
    #expect(try rects(a, b, in: row, 20, 1).map(\.width) == [9, 9])
  }

  @Test func `parts of a column are of both its sizes`() throws {
    let (a, b) = (try make(["height": "50%", "width": "25%"]), try make(["height": "50%"]))
    #expect(
      try rects(a, b, in: make(.column, [:], [a, b]), 20, 10)
        == [Rect(x: 0, y: 0, width: 5, height: 5), Rect(x: 0, y: 5, width: 20, height: 5)])
  }

  @Test func `bounds of the width may be parts`() throws {
    let narrow = try make(["maxWidth": "50%"])
    let wide = try make(["width": 2, "minWidth": "75%"])
    let grown = try make(["grow": 1, "maxWidth": "25%"])
    #expect(
      try rects(narrow, wide, in: make(.column, [:], [narrow, wide]), 20, 4).map(\.width)
        == [10, 15])
    #expect(try rects(grown, in: make(.row, [:], [grown]), 20, 4).map(\.width) == [5])
  }

  @Test func `a part is of the cell in a grid, and of what shows in a scroll`() throws {
    let cell = try make(["width": "50%"])
    let grid = try make(.grid, ["columns": .object(ValueList([10, 20]))], [LabelView("x"), cell])
    #expect(try rects(cell, in: grid, 30, 4) == [Rect(x: 10, y: 0, width: 10, height: 1)])
    let (a, b) = (try make(["height": "100%", "width": "100%"]), try make(["height": "100%"]))
    let scroll = try make(.scroll, [:], [a, b])
    #expect(
      try rects(a, b, in: scroll, 20, 5).map(\.size) == [
        Size(width: 19, height: 5), Size(width: 19, height: 5),
      ])
  }

  @Test func `a dialog's part is of the screen`() throws {
    let dialog = try make(.dialog, ["width": "50%", "height": "50%"])
    let root = try make(.column, [:], [dialog])
    #expect(try rects(dialog, in: root, 40, 12) == [Rect(x: 10, y: 3, width: 20, height: 6)])
  }

  @Test func `the ratio says the size that is not given`() throws {
    let a = try make(["aspect": 4])
    let b = try make(["height": 3, "aspect": 2])
    let c = try make(["width": "50%", "aspect": 5])
    let root = try make(.column, ["align": "start"], [a, b, c])
    a[.width] = 8
    #expect(
      try rects(a, b, c, in: root, 20, 10).map(\.size) == [
        Size(width: 8, height: 2), Size(width: 6, height: 3), Size(width: 10, height: 2),
      ])
  }

  @Test func `in a row the ratio says the height, and the row is as high`() throws {
    let a = try make(["width": "50%", "aspect": 2])
    let row = try make(.row, [:], [a])
    let below = LabelView("below")
    #expect(
      try rects(a, row, below, in: make(.column, [:], [row, below]), 16, 10) == [
        Rect(x: 0, y: 0, width: 8, height: 4), Rect(x: 0, y: 0, width: 16, height: 4),
        Rect(x: 0, y: 4, width: 16, height: 1),
      ])
  }

  @Test(arguments: ["half", "%", "50 %", "-5%", "nan%", "1e9%", "", "5px", "12"])
  func `a wrong text is an error that says what is right`(text: String) throws {
    let view = LabelView("")
    let error = #expect(throws: TideError.self) { try view.set("width", .string(text)) }
    #expect(error?.message.contains("label.width is a number of cells or a part") == true)
  }

  @Test func `a binding may change a size from cells to a part`() throws {
    let (view, field) = (LabelView(""), FieldView("50%"))
    view[.width] = 12
    let context = BindingContext()
    try context.bind("text -> width", field, view)
    #expect(view["width"] == "50%")
    #expect(throws: TideError.self) { try view.set("height", true) }
    withExtendedLifetime(context) {}
  }

  @Test func `a ratio that is none is left out`() throws {
    for ratio in [0, -1, Double.nan, .infinity] {
      let view = try make(["width": 8, "aspect": .number(ratio)], [LabelView("x")])
      #expect(try rects(view, in: make(.column, ["align": "start"], [view]), 20, 9)[0].height == 1)
    }
  }

  @Test func `a view without parts keeps nothing for them`() throws {
    let label = LabelView("x")
    let shown = try ShownView(label, 10, 1)
    try shown.commit()
    #expect(label.layout.box.relative == nil && label.extras == nil)
  }
}
