import Testing
import TideBindings
import TideGraph

@testable import TideViews

@Suite struct BoundsTests {
  private func bounds(_ view: View) -> [Int] {
    guard case .object(let bounds as DataObject) = view["bounds"] else { return [] }
    return ["width", "height", "x", "y"].map { Int.make(from: bounds[$0]) ?? -1 }
  }

  @Test func `bounds are where a view is in its superview, and follow the layout`() throws {
    let label = LabelView("hello")
    let row = try ViewClass.row.make([LabelView("ab"), label])
    let column = try ViewClass.column.make([LabelView("above"), row])
    #expect(bounds(label) == [0, 0, 0, 0])
    let shown = try ShownView(column, 20, 4)
    _ = try shown.text
    #expect(bounds(label) == [5, 1, 2, 0])
    #expect(bounds(row) == [20, 1, 0, 1])
    label[.text] = "hello there"
    shown.scene.resize(Size(width: 30, height: 4))
    _ = try shown.text
    #expect(bounds(label) == [11, 1, 2, 0])
    #expect(bounds(row) == [30, 1, 0, 1])
  }

  @Test func `a binding follows the bounds`() throws {
    let label = LabelView("")
    let column = try ViewClass.column.make([label])
    let context = BindingContext()
    try context.bind("bounds.width -> text", column, label)
    let shown = try ShownView(column, 20, 1)
    #expect(try shown.text == "20")
    shown.scene.resize(Size(width: 33, height: 1))
    #expect(try shown.text == "33")
    withExtendedLifetime(context) {}
  }

  @Test func `a layout adapts to the bounds, within one frame`() throws {
    let details = LabelView("details")
    let column = try ViewClass.column.make([details, LabelView("rest")])
    let effect = column.graph.effect { [unowned column, unowned details] in
      guard case .object(let bounds as DataObject) = column["bounds"] else { return }
      details[.hidden] = (Int.make(from: bounds["width"]) ?? 0) < 10
    }
    let shown = try ShownView(column, 20, 2)
    #expect(shown.renderer.text == "details\nrest")
    shown.scene.resize(Size(width: 8, height: 2))
    #expect(try shown.text == "rest")
    effect.cancel()
  }

  @Test func `a layout that does not settle is left as it is, with an error that names the view`()
    throws
  {
    let wide = LabelView("a long text")
    let row = try ViewClass.row.make([wide, LabelView("b")])
    row[.id] = "row"
    let column = try ViewClass.column.make([row])
    column[.align] = "start"
    let inner = try ViewClass.row.make([column])
    var errors: [TideError] = []
    let effect = row.graph.effect { [unowned row, unowned wide] in
      guard case .object(let bounds as DataObject) = row["bounds"] else { return }
      wide[.hidden] = (Int.make(from: bounds["width"]) ?? 0) > 5
    }
    let scene = try Scene(root: inner, size: Size(width: 20, height: 2))
    scene.onError = { errors.append($0) }
    let renderer = TextRenderer()
    try scene.mount(renderer)
    #expect(errors.count == 1)
    #expect(errors.first?.code == .cycle)
    #expect(errors.first?.message.contains("the bounds of the row \"row\"") == true)
    #expect(!scene.needsFrame)
    #expect(scene.brokenInvariants() == [])
    // It goes on, and is told once.
    inner[.bold] = true
    try scene.commit()
    #expect(errors.count == 1 && !scene.needsFrame)
    effect.cancel()
  }

  @Test func `bounds cannot be written`() throws {
    let label = LabelView("")
    #expect(throws: TideError.self) { try label.set("bounds", .null) }
    guard case .object(let bounds as DataObject) = label["bounds"] else { return }
    #expect(throws: TideError.self) { try bounds.set("width", 5) }
    #expect(throws: TideError.self) { try bounds.value(of: "widht") }
  }
}
