import Testing
import TideBindings
import TideGraph
import TideViews

@Test func `a data object is inherited where none is set`() throws {
  let label = LabelView("")
  let row = try View(.row, [label])
  let column = try View(.column, [row])
  let apple = Thing("apple")
  let fig = Thing("fig")
  #expect(label.dataObject == .null)
  column.dataObject = .object(apple)
  #expect(label.dataObject == .object(apple))
  row.dataObject = .object(fig)
  #expect(label.dataObject == .object(fig))
  row.dataObject = .null
  #expect(label.dataObject == .object(apple))
  #expect(label["dataObject"] == .object(apple))
}

@Test func `setting an ancestor's data object reaches the bindings below`() throws {
  let label = LabelView("")
  let row = try View(.row, [label])
  let column = try View(.column, [row])
  let context = BindingContext()
  try context.bind("dataObject.name -> text", label, label)
  #expect(label.text == "")
  let apple = Thing("apple")
  column.dataObject = .object(apple)
  #expect(label.text == "apple")
  apple.name = "pear"
  #expect(label.text == "pear")
  column.dataObject = .object(Thing("fig"))
  #expect(label.text == "fig")
  apple.name = "late"
  #expect(label.text == "fig")
  column.dataObject = .null
  #expect(label.text == "")
}

@Test func `a moved view has the data object of where it is`() throws {
  let label = LabelView("")
  let context = BindingContext()
  try context.bind("@superview.dataObject.name -> text", label, label)
  let first = try View(.column, [label])
  first.dataObject = .object(Thing("apple"))
  #expect(label.text == "apple")
  let second = try View(.column, [])
  second.dataObject = .object(Thing("fig"))
  try second.add(label)
  #expect(label.text == "fig")
}

@Test func `a child's data object can be bound from its parent's`() throws {
  let inner = try View(.column, [])
  let outer = try View(.column, [inner])
  let holder = try View(.column, [])
  let context = BindingContext()
  try context.bind("tooltip -> dataObject", holder, inner)
  try holder.set("tooltip", "words")
  #expect(inner.dataObject == "words")
  #expect(outer.dataObject == .null)
}
