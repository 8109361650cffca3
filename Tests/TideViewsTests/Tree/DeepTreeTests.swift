import Testing
import TideBindings
import TideGraph

@testable import TideViews

private let depth = 100_000

/// A chain of columns with a label at its end, built from the inside as scripts do.
private func chain(_ depth: Int, around leaf: View) throws -> View {
  var view = leaf
  for _ in 0..<depth { view = try ViewClass.column.make([view]) }
  return view
}

@Test func `a tree of 100,000 levels is shown, changed, searched and released`() throws {
  let label = LabelView("deep")
  label[.id] = "leaf"
  let root = try chain(depth, around: label)
  let shown = try ShownView(root, 20, 3, isChecked: false)
  #expect(try shown.text == "deep")
  label.text = "changed"
  #expect(try shown.text == "changed")
  #expect(root.find("leaf") === label)
  #expect(shown.scene.focusOrder.isEmpty)
  root.dataObject = "apple"
  #expect(label.dataObject == "apple")
  root.dataObject = "fig"
  #expect(label.dataObject == "fig")
  label[.wrap] = true
  label.text = "several words that take more than a line"
  #expect(try shown.lines == ["several words that", "take more than a", "line"])
  shown.scene.send(.key(Key("x" as Character)))
  shown.expectSound()
  root.remove()
  #expect(try shown.text == "")
}

@Test func `a tree of 100,000 leaves is shown and one of them changed`() throws {
  let labels = (0..<depth).map { LabelView("\($0)") }
  let root = try ViewClass.column.make(labels)
  let shown = try ShownView(root, 20, 3, isChecked: false)
  #expect(try shown.lines == ["0", "1", "2"])
  labels[1].text = "one"
  #expect(try shown.lines == ["0", "one", "2"])
  labels[0].remove()
  #expect(try shown.lines == ["one", "2", "3"])
  shown.expectSound()
}
