import Testing
import TideBindings
import TideGraph
import TideViews

/// window > outer (column, tag 1, id "outer") > cell > inner (row, tag 1) > label
private struct Fixture {
  let label = LabelView("leaf")
  let inner: View
  let cell: View
  let outer: View
  let scene: Scene

  init() throws {
    inner = try ViewClass.row.make([label])
    cell = try ViewClass.cell.make([inner])
    outer = try ViewClass.column.make([cell])
    inner[.tag] = 1
    outer[.tag] = 1
    outer[.id] = "outer"
    scene = try Scene(root: outer)
  }
}

@Test func `each operator finds its view`() throws {
  let f = try Fixture()
  #expect(f.label.navigate(.superview) === f.inner)
  #expect(f.label.navigate(.rootView) === f.outer)
  #expect(f.label.navigate(.cell) === f.cell)
  #expect(f.label.navigate(.superviewWithTag(1)) === f.inner)
  #expect(f.inner.navigate(.superviewWithTag(1)) === f.outer)
  #expect(f.label.navigate(.superviewWithID("outer")) === f.outer)
  #expect(f.label.navigate(.superviewWithClass("column")) === f.outer)
  #expect(f.label.navigate(.superviewWithClass("UITableViewCell")) === f.cell)
  #expect(f.label.navigate(.superviewWithClass("view")) === f.inner)
  #expect(f.outer.navigate(.subview(0)) === f.cell)
  #expect(f.inner.navigate(.subviewWithClass("UILabel")) === f.label)
  #expect(f.cell.navigate(.subviewWithTag(1)) === f.inner)
  f.label[.id] = "l"
  #expect(f.inner.navigate(.subviewWithID("l")) === f.label)
}

@Test func `each operator gives nothing where there is nothing`() throws {
  let f = try Fixture()
  #expect(f.scene.window.navigate(.superview) == nil)
  #expect(f.outer.navigate(.cell) == nil)
  #expect(f.label.navigate(.superviewWithTag(9)) == nil)
  #expect(f.label.navigate(.superviewWithID("nope")) == nil)
  #expect(f.label.navigate(.superviewWithClass("nope")) == nil)
  #expect(f.outer.navigate(.subview(1)) == nil)
  #expect(f.outer.navigate(.subview(-1)) == nil)
  #expect(f.outer.navigate(.subviewWithTag(9)) == nil)
  #expect(f.outer.navigate(.subviewWithID("l")) == nil)
  #expect(f.outer.navigate(.subviewWithClass("label")) == nil)
}

@Test func `the window is known while a view is shown`() throws {
  let f = try Fixture()
  #expect(f.label.window === f.scene.window)
  f.cell.remove()
  #expect(f.label.window == nil)
  try f.outer.add(f.cell)
  #expect(f.label.window === f.scene.window)
}

@Test func `a path through a superview follows moves, comings and goings`() throws {
  let label = LabelView("")
  let context = BindingContext()
  defer { context.removeAll() }
  try context.bind("@superview.id -> text", label, label)
  #expect(label.text == "")
  let first = try ViewClass.column.make([])
  first[.id] = "first"
  let second = try ViewClass.column.make([])
  second[.id] = "second"
  try first.add(label)
  #expect(label.text == "first")
  try second.add(label)
  #expect(label.text == "second")
  second[.id] = "renamed"
  #expect(label.text == "renamed")
  label.remove()
  #expect(label.text == "")
}

@Test func `a path to a subview follows the order of the subviews`() throws {
  let row = try ViewClass.row.make([LabelView("a"), LabelView("b")])
  let title = LabelView("")
  let context = BindingContext()
  defer { context.removeAll() }
  try context.bind("@subviews[0].text -> text", row, title)
  #expect(title.text == "a")
  try row.subviews[1].move(to: 0)
  #expect(title.text == "b")
  row.removeSubviews()
  #expect(title.text == "")
}
