import Testing
import TideGraph

@testable import TideBindings
@testable import TideViews

/// A list of texts, shown as they are.
private struct Fixture {
  let rows: ValueList
  let list: ListView
  let shown: ShownView

  init(_ texts: [String], _ width: Int = 12, _ height: Int = 4) throws {
    rows = ValueList(texts.map { .string($0) })
    list = ListView(viewClass: .list)
    list[.items] = .object(rows)
    shown = try ShownView(list, width, height)
  }

  func mouse(_ kind: MouseEvent.Kind, _ x: Int, _ y: Int) {
    shown.scene.send(.mouse(MouseEvent(kind, at: Point(x: x, y: y))))
  }
}

private let numbers = (1...20).map(String.init)

@Test func `letters go to the next row that begins with them`() throws {
  let f = try Fixture(["apple", "Banana", "blueberry", "cherry", "Bilberry"])
  f.list.focus()
  f.shown.type("b")
  #expect(f.list[.selectedIndex] == 1)
  f.shown.type("l")
  #expect(f.list[.selectedIndex] == 2)
  try f.shown.press("Up Up")
  f.shown.type("bbb")
  #expect(f.list[.selectedIndex] == 4)
  try f.shown.press("Home")
  #expect(!f.shown.scene.send(.key(Key(Character("x")))))
  #expect(f.list[.selectedIndex] == 0)
}

@Test func `a letter that has a meaning above is left to it`() throws {
  let f = try Fixture(["apple", "berry"])
  var heard = 0
  f.shown.scene.window.onKey(Key(Character("b"))) { _, _ in
    heard += 1
    return true
  }
  f.list.focus()
  f.shown.type("b")
  #expect(heard == 1)
  #expect(f.list[.selectedIndex] == nil)
}

@Test func `objects are found by what their cells show`() throws {
  let list = ListView(viewClass: .list)
  list.makeCell = { _, _ in LabelView("") }
  list[.items] = .object(ValueList(["x", "y", "apple"].map { .object(Thing($0)) }))
  let shown = try ShownView(list, 12, 4)
  list.focus()
  shown.type("a")
  #expect(list[.selectedIndex] == 2)
}

@Test func `the scroll bar is pressed and dragged`() throws {
  let f = try Fixture(numbers, 5, 4)
  f.mouse(.press(.left), 4, 3)
  f.mouse(.release(.left), 4, 3)
  #expect(try f.shown.lines.first == "5   │")
  f.mouse(.press(.left), 4, 1)
  f.mouse(.drag(.left), 4, 9)
  #expect(try f.shown.lines.last?.hasPrefix("20") == true)
  f.mouse(.drag(.left), 0, -5)
  f.mouse(.release(.left), 0, -5)
  #expect(try f.shown.lines.first?.hasPrefix("1 ") == true)
  #expect(f.list[.selectedIndex] == nil)
}

@Test func `the wheel is left to whoever is above when everything is in sight`() throws {
  let f = try Fixture(["a", "b"])
  #expect(!f.shown.scene.send(.mouse(MouseEvent(.scroll(1), at: .zero))))
}

@Test func `rows are asked to move by keys and by the mouse`() throws {
  let f = try Fixture(["a", "b", "c", "d"], 6, 4)
  var moves: [String] = []
  try f.list.on("move") { [rows = f.rows] _, event in
    moves.append("\(event.index ?? -1)>\(event.target ?? -1)")
    try rows.move(from: event.index ?? -1, to: event.target ?? -1)
  }
  f.list.focus()
  try f.shown.press("Down Alt-Down Alt-Down Alt-Up Home Alt-Up")
  #expect(moves == ["0>1", "1>2", "2>1"])
  #expect(f.rows.values == ["b", "a", "c", "d"])
  #expect(f.list[.selectedObject] == "b")
  f.mouse(.press(.left), 0, 3)
  f.mouse(.drag(.left), 0, 1)
  _ = try f.shown.text
  #expect(f.shown.scene.frame[0, 1].style.attributes.contains(.underline))
  f.mouse(.release(.left), 0, 1)
  #expect(moves.last == "3>1")
  #expect(try f.shown.lines == ["b", "d", "a", "c"])
  #expect(f.list[.selectedObject] == "d")
  #expect(!f.shown.scene.frame[0, 1].style.attributes.contains(.underline))
}

@Test func `a press is for the row that the last frame shows there`() throws {
  let f = try Fixture(["a", "b", "c", "d"], 6, 4)
  _ = try f.shown.text
  try f.rows.insert("new", at: 0)
  f.mouse(.press(.left), 0, 1)
  f.mouse(.release(.left), 0, 1)
  #expect(f.list[.selectedObject] == "b")
  _ = try f.shown.text
  _ = try f.rows.remove(at: 3)
  f.mouse(.press(.left), 0, 3)
  f.mouse(.release(.left), 0, 3)
  #expect(f.list[.selectedObject] == "b")
  let told = BindingTable.current.editedRecords?.notices.last?.message
  #expect(told?.contains("nothing was done") == true)
}

@Test func `a row that is dragged is moved, wherever it has gone meanwhile`() throws {
  let f = try Fixture(["a", "b", "c", "d"], 6, 5)
  var moves: [String] = []
  try f.list.on("move") { _, event in moves.append("\(event.value) \(event.index ?? -1)") }
  _ = try f.shown.text
  f.mouse(.press(.left), 0, 3)
  try f.rows.insert("new", at: 0)
  _ = try f.shown.text
  f.mouse(.drag(.left), 0, 1)
  f.mouse(.release(.left), 0, 1)
  #expect(moves.first?.hasSuffix(" 4") == true)
  _ = try f.shown.text
  f.mouse(.press(.left), 0, 4)
  _ = try f.rows.remove(at: 4)
  _ = try f.shown.text
  f.mouse(.drag(.left), 0, 1)
  f.mouse(.release(.left), 0, 1)
  #expect(moves.count == 1)
}

@Test func `after a row was deleted the one in its index is selected`() throws {
  let f = try Fixture(["a", "b", "c"])
  f.list.focus()
  #expect(!f.shown.scene.send(.key(Key(.delete))))
  f.list[.selectedIndex] = 1
  try f.list.on("delete") { [rows = f.rows] _, event in
    _ = try rows.removeObject(event.value)
  }
  try f.shown.press("Delete")
  #expect(f.list[.selectedObject] == "c")
  try f.shown.press("Delete")
  #expect(f.list[.selectedObject] == "a")
  try f.shown.press("Delete Delete")
  #expect(f.list[.selectedIndex] == nil)
}

@Test func `a chosen row that goes leaves a list with the focus at the next one`() throws {
  let f = try Fixture(["a", "b", "c", "d"])
  f.list.focus()
  f.list[.selectedIndex] = 1
  _ = try f.rows.removeObject("b")
  #expect(f.list[.selectedObject] == "c")
  try f.rows.remove(at: 1, count: 2)
  #expect(f.list[.selectedObject] == "a")
  f.shown.scene.focus(nil)
  _ = try f.rows.removeObject("a")
  #expect(f.list[.selectedIndex] == nil)
}

@Test func `a row that has the focus itself passes it to the next one`() throws {
  let list = ListView(viewClass: .list)
  list.makeCell = { object, _ in
    let cell = CellView(viewClass: .cell)
    cell.put(.focusable, true)
    try cell.add(LabelView(object.text ?? ""))
    return cell
  }
  let rows = ValueList(["a", "b", "c"])
  list[.items] = .object(rows)
  let shown = try ShownView(list, 12, 4)
  _ = try shown.text
  list.cells[1].focus()
  _ = try shown.text
  _ = try rows.removeObject("b")
  _ = try shown.text
  #expect(shown.scene.focused === list.cells[1])
  #expect(list[.selectedObject] == "c")
}

@Test func `a chosen row is of one colour`() throws {
  let f = try Fixture(["a", "b"])
  f.list.makeCell = { object, _ in
    let label = LabelView(object.text ?? "")
    label[.textColor] = "red"
    return label
  }
  f.list[.selectedIndex] = 0
  f.list.focus()
  _ = try f.shown.text
  let colors = (0...1).map { f.shown.scene.frame[0, $0].style.foreground }
  #expect(colors == [.standard, .ansi(1)])
}

@Test func `the selected row is paler while the keys go elsewhere`() throws {
  let f = try Fixture(["a", "b"])
  f.list[.selectedIndex] = 0
  _ = try f.shown.text
  #expect(f.shown.scene.frame[0, 0].style.attributes == [.reverse, .dim])
  #expect(f.shown.scene.frame[9, 0].style.attributes == [.reverse, .dim])
  f.list.focus()
  _ = try f.shown.text
  #expect(f.shown.scene.frame[0, 0].style.attributes == .reverse)
  f.shown.scene.focus(nil)
  _ = try f.shown.text
  #expect(f.shown.scene.frame[0, 0].style.attributes == [.reverse, .dim])
}

@Test func `a cell stays with its object while that is in sight`() throws {
  let rows = ValueList(["a", "b", "c"].map { .object(Thing($0)) })
  let list = ListView(viewClass: .list)
  list[.items] = .object(rows)
  let shown = try ShownView(list, 10, 4)
  let cells = list.subviews
  try rows.insert(.object(Thing("new")), at: 0)
  try rows.move(from: 3, to: 1)
  _ = try shown.text
  #expect(list.subviews[1] === cells[2])
  #expect(list.subviews[2] === cells[0])
  #expect(list.subviews[3] === cells[1])
  #expect(list.subviews.map { $0[.index] } == [0, 1, 2, 3])
}

@Test func `who is focused in a cell has its row selected, and ends editing when it goes`() throws {
  let rows = ValueList(numbers.map { .object(Thing($0)) })
  let list = ListView(viewClass: .list)
  list.makeCell = { _, _ in FieldView("") }
  list[.items] = .object(rows)
  let shown = try ShownView(list, 10, 4)
  var ended: [Value] = []
  var selected: [Int] = []
  try list.on(.editingDidEnd) { _, event in ended.append(event.sender.dataObject) }
  try list.on(.didSelect) { _, event in selected.append(event.index ?? -1) }
  try shown.press("Tab Tab Tab")
  #expect(list[.selectedIndex] == 1)
  #expect(selected == [0, 1])
  #expect(ended == [rows[0] ?? .null])
  // Rows above do not take the cell away.
  try rows.insert(.object(Thing("new")), at: 0)
  _ = try shown.text
  #expect(shown.scene.focused?.dataObject == rows[2])
  #expect(list[.selectedIndex] == 2)
  list.scroll(by: 10)
  _ = try shown.text
  #expect(ended.last == rows[2])
  #expect(shown.scene.focused === list)
  list.scroll(by: -10)
  _ = try shown.text
  #expect(list.subviews.map { $0.dataObject } == (0..<4).map { rows[$0] ?? .null })
}

@Test func `nobody else adds views to a list, and a cell taken out does no harm`() throws {
  let f = try Fixture(["a", "b"])
  #expect(throws: TideError.self) { try f.list.add(LabelView("stranger")) }
  #expect(throws: TideError.self) { try f.list.subviews[0].replace(with: LabelView("stranger")) }
  f.list.subviews[0].remove()
  try f.rows.append("c")
  #expect(try f.shown.lines == ["a", "b", "c", ""])
}

@Test func `a cell function that gives the same view again is told so`() throws {
  let list = ListView(viewClass: .list)
  let cell = LabelView("one")
  list.makeCell = { _, _ in cell }
  let scene = try Scene(root: list, size: Size(width: 10, height: 3))
  var errors: [TideError] = []
  scene.onError = { errors.append($0) }
  list[.items] = .object(ValueList([1, 2]))
  let renderer = TextRenderer()
  try scene.mount(renderer)
  #expect(renderer.lines == ["one", "", ""])
  #expect(errors.map(\.code) == [.badTree])
}

@Test func `a collection is a grid through which the keys go both ways`() throws {
  let view = CollectionView(viewClass: .collection)
  view[.itemWidth] = 4
  view[.items] = .object(ValueList((1...8).map { .string("\($0)") }))
  let shown = try ShownView(view, 14, 3)
  #expect(try shown.lines == ["1    2    3", "4    5    6", "7    8"])
  view.focus()
  var indexes: [Int] = []
  for key in ["Right", "Right", "Down", "Down", "Left", "Up", "Up", "Up", "PageDown", "End"] {
    try shown.press(key)
    indexes.append(view[.selectedIndex] ?? -1)
  }
  #expect(indexes == [0, 1, 4, 7, 6, 3, 0, 0, 6, 7])
  shown.click(6, 1)
  #expect(view[.selectedIndex] == 4)
}

@Test func `a collection with more than fits has a scroll bar beside whole columns`() throws {
  let view = CollectionView(viewClass: .collection)
  view[.itemWidth] = 4
  view[.items] = .object(ValueList((1...9).map { .string("\($0)") }))
  let shown = try ShownView(view, 9, 2)
  // Two would fit without the bar.
  #expect(try shown.lines == ["1       ┃", "2       │"])
  view.focus()
  try shown.press("End")
  #expect(try shown.lines.map { $0.prefix(1) } == ["8", "9"])
  for size in [Size(width: 1, height: 1), Size(width: 300, height: 100), Size(width: 0, height: 0)]
  {
    shown.scene.resize(size)
    _ = try shown.text
  }
  #expect(view[.selectedIndex] == 8)
}

@Test func `odd heights and widths of rows do no harm`() throws {
  for number in [Double.nan, -5, 0, 1e300, 0.5, .infinity] {
    for viewClass in [ViewClass.list, .collection, .table, .tree] {
      let view = viewClass.make()
      view[.items] = .object(ValueList(["a", "b"]))
      view[.rowHeight] = number
      view[.itemWidth] = number
      view[.spacing] = number
      view[.selectedIndex] = -3
      let shown = try ShownView(view, 5, 3)
      view.focus()
      try shown.press("Down PageDown Right Left End Enter Space * < > a")
      _ = try shown.text
      view[.selectedIndex] = .max
      view[.selectedIndex] = .min
      _ = try shown.text
    }
  }
}

/// Makes cells that show the names of their objects, live.
final class NameCells {
  private let context = BindingContext()

  func make() throws -> View {
    let label = LabelView("")
    try context.bind("dataObject.name -> text", label, label)
    return label
  }
}

extension [String] {
  /// Lines without the column of the scroll bar.
  func withoutBar(_ width: Int) -> [String] {
    map { line in
      var text = String(line.prefix(width - 1))[...]
      while text.last == " " { text.removeLast() }
      return String(text)
    }
  }
}
