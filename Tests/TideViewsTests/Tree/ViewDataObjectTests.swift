import Testing
import TideBindings
import TideGraph
import TideViews

@Test func `a data object is inherited where none is set`() throws {
  let label = LabelView("")
  let row = try ViewClass.row.make([label])
  let column = try ViewClass.column.make([row])
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
  let row = try ViewClass.row.make([label])
  let column = try ViewClass.column.make([row])
  let context = BindingContext()
  defer { context.removeAll() }
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
  defer { context.removeAll() }
  try context.bind("@superview.dataObject.name -> text", label, label)
  let first = try ViewClass.column.make([label])
  first.dataObject = .object(Thing("apple"))
  #expect(label.text == "apple")
  let second = try ViewClass.column.make([])
  second.dataObject = .object(Thing("fig"))
  try second.add(label)
  #expect(label.text == "fig")
}

@Test func `key paths of views are ends of bindings`() throws {
  let thing = Thing("apple")
  let label = LabelView("")
  let field = FieldView("")
  let context = BindingContext()
  defer { context.removeAll() }
  try context.bind(thing, \.name, to: label, \.text)
  try context.bind(thing, \.name, with: field, \.text)
  #expect(label.text == "apple")
  field.text = "fig"
  #expect(thing.name == "fig")
  #expect(label.text == "fig")
}

@Test func `a child's data object can be bound from its parent's`() throws {
  let inner = try ViewClass.column.make([])
  let outer = try ViewClass.column.make([inner])
  let holder = try ViewClass.column.make([])
  let context = BindingContext()
  defer { context.removeAll() }
  try context.bind("tooltip -> dataObject", holder, inner)
  try holder.set("tooltip", "words")
  #expect(inner.dataObject == "words")
  #expect(outer.dataObject == .null)
}
