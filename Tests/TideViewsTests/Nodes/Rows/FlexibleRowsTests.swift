import Fuzzing
import Testing
import TideBindings
import TideGraph

@testable import TideViews

/// A list of texts that wrap, in rows as high as these need.
private struct Fixture {
  let rows: ValueList
  let list: ListView
  let shown: ShownView

  init(_ texts: [String], _ width: Int = 9, _ height: Int = 4) throws {
    rows = ValueList(texts.map { .string($0) })
    list = ListView(viewClass: .list)
    try list.set("rowHeight", "auto")
    list[.items] = .object(rows)
    shown = try ShownView(list, width, height)
  }

  /// The lines without the scroll bar.
  var lines: [String] {
    get throws { try shown.lines.withoutBar(shown.scene.size.width) }
  }

  func mouse(_ kind: MouseEvent.Kind, _ x: Int, _ y: Int) {
    shown.scene.send(.mouse(MouseEvent(kind, at: Point(x: x, y: y))))
  }
}

private let fruits = [
  "apple", "blood orange", "", "cherry", "dragon fruit of May", "elder", "fig", "grape fruit",
]

@Suite struct FlexibleRowsTests {
  @Test func `a row is as high as its wrapped text, and an empty one a line`() throws {
    let f = try Fixture(fruits, 9, 6)
    #expect(try f.lines == ["apple", "blood", "orange", "", "cherry", "dragon"])
    f.shown.scene.resize(Size(width: 14, height: 6))
    #expect(try f.lines == ["apple", "blood orange", "", "cherry", "dragon fruit", "of May"])
  }

  @Test func `what a row may be is told`() throws {
    let list = ListView(viewClass: .list)
    #expect(throws: TideError.self) { try list.set("rowHeight", "1") }
    try list.set("rowHeight", "auto")
    try list.set("rowHeight", 2)
    try list.set("rowHeight", nil)
  }

  @Test func `it may be changed while the list is shown`() throws {
    let f = try Fixture(fruits)
    try f.list.set("rowHeight", 1)
    #expect(try f.lines == ["apple", "blood o…", "", "cherry"])
    try f.list.set("rowHeight", "auto")
    #expect(try f.lines == ["apple", "blood", "orange", ""])
  }

  @Test func `it scrolls by lines of the screen`() throws {
    let f = try Fixture(fruits)
    f.list.scroll(by: 2)
    #expect(try f.lines == ["orange", "", "cherry", "dragon"])
    #expect(f.list.firstRow == 1)
    f.list.scroll(by: 100)
    #expect(try f.lines == ["elder", "fig", "grape", "fruit"])
    f.list.scroll(by: -1)
    #expect(try f.lines == ["May", "elder", "fig", "grape"])
    f.mouse(.scroll(-2), 0, 0)
    #expect(try f.lines == ["dragon", "fruit of", "May", "elder"])
  }

  @Test func `keys select rows and bring them into sight as a whole`() throws {
    let f = try Fixture(fruits)
    f.list.focus()
    try f.shown.press("Down Down Down Down")
    #expect(try f.lines == ["blood", "orange", "", "cherry"])
    try f.shown.press("Down")
    #expect(try f.lines == ["cherry", "dragon", "fruit of", "May"])
    try f.shown.press("End")
    #expect(try f.lines == ["elder", "fig", "grape", "fruit"])
    try f.shown.press("Up Up Up")
    #expect(try f.lines == ["dragon", "fruit of", "May", "elder"])
    try f.shown.press("Home PageDown")
    #expect(f.list[.selectedIndex] == 3)
    try f.shown.press("PageDown PageDown PageUp")
    #expect(f.list[.selectedIndex] == 5)
  }

  @Test func `a row higher than the list shows its beginning, and pages scroll in it`() throws {
    let f = try Fixture(["a", "one two three four five six", "z"], 7, 3)
    f.list.focus()
    try f.shown.press("Down Down")
    #expect(try f.lines == ["one", "two", "three"])
    try f.shown.press("PageDown")
    #expect(try f.lines == ["four", "five", "six"])
    #expect(f.list[.selectedIndex] == 1)
    try f.shown.press("PageDown")
    #expect(f.list[.selectedIndex] == 2)
    try f.shown.press("Up")
    #expect(try f.lines == ["one", "two", "three"])
    f.list.scroll(by: 1)
    #expect(try f.lines == ["two", "three", "four"])
  }

  @Test func `the mouse finds the row at each of its lines`() throws {
    let f = try Fixture(fruits)
    f.list.scroll(by: 2)
    _ = try f.shown.text
    for (y, row) in [(0, 1), (1, 2), (2, 3), (3, 4)] {
      f.shown.click(0, y)
      #expect(f.list[.selectedIndex] == row)
      _ = try f.shown.text
      f.list.scroll(by: -100)
      f.list.scroll(by: 2)
      _ = try f.shown.text
    }
  }

  @Test func `a row is dragged to where others of other heights are`() throws {
    let f = try Fixture(fruits)
    var moves: [String] = []
    try f.list.on("move") { _, event in
      moves.append("\(event.index ?? -1)>\(event.target ?? -1)")
    }
    f.mouse(.press(.left), 0, 0)
    f.mouse(.drag(.left), 0, 2)
    f.mouse(.release(.left), 0, 2)
    #expect(moves == ["0>1"])
  }

  @Test func `rows that come and go above leave those in sight where they are`() throws {
    let f = try Fixture(fruits)
    f.list.scroll(by: 2)
    let before = try f.lines
    try f.rows.insert("new and long", at: 0)
    try f.rows.insert("another one", at: 1)
    #expect(try f.lines == before)
    try f.rows.remove(at: 0, count: 2)
    #expect(try f.lines == before)
    try f.rows.remove(at: 1)
    #expect(try f.lines.first == "")
  }

  @Test func `the selected row stays in sight when rows wrap anew`() throws {
    let f = try Fixture(fruits, 30, 4)
    f.list[.selectedIndex] = 4
    #expect(try f.lines.contains("dragon fruit of May"))
    for width in [7, 12, 3, 30, 8] {
      f.shown.scene.resize(Size(width: width, height: 4))
      let cell = f.list.cells.first { $0.row == 4 }
      _ = try f.shown.text
      #expect(f.list.cells.contains { $0.row == 4 }, "\(width) \(cell?.row ?? -1)")
    }
  }

  @Test func `only rows in sight are measured and have cells`() throws {
    let list = ListView(viewClass: .list)
    var made = 0
    try list.set("rowHeight", "auto")
    list.makeCell = { object, _ in
      made += 1
      return LabelView("")
    }
    list[.items] = .object(ValueList((0..<100_000).map { .integer($0) }))
    let shown = try ShownView(list, 10, 5)
    try shown.press("Tab Down End PageUp Home PageDown")
    for _ in 0..<20 {
      list.scroll(by: 5)
      _ = try shown.text
    }
    #expect(made <= 20)
    #expect(list.subviews.count == 5)
    #expect((list.flexible?.heights.heldBytes ?? 0) < 20_000)
  }

  @Test func `events tell of rows in sight alone`() throws {
    let f = try Fixture(fruits)
    var seen: Set<Int> = [0, 1, 2]
    try f.list.on(.willDisplay) { _, event in seen.insert(event.index ?? -1) }
    try f.list.on(.didEndDisplaying) { _, event in
      #expect(seen.remove(event.index ?? -1) != nil)
    }
    for step in [3, 4, -2, 100, -3, -100] {
      f.list.scroll(by: step)
      _ = try f.shown.text
      #expect(seen == Set(f.list.cells.map(\.row)))
    }
  }

  @Test func `the end is followed`() throws {
    let f = try Fixture(["a"])
    f.list[.followsEnd] = true
    for text in fruits { try f.rows.append(.string(text)) }
    #expect(try f.lines == ["elder", "fig", "grape", "fruit"])
    f.list.scroll(by: -2)
    try f.rows.append("the last one")
    #expect(try f.lines == ["fruit of", "May", "elder", "fig"])
    f.list.scroll(by: 100)
    _ = try f.shown.text
    try f.rows.append("z")
    #expect(try f.lines.last == "z")
  }

  @Test func `the scroll bar leads to the end and to the beginning`() throws {
    let f = try Fixture(
      (1...50).map { Array(repeating: "row\($0)", count: $0 % 3 + 1) }
        .map { $0.joined(separator: " ") }, 8, 5)
    _ = try f.shown.text
    f.mouse(.press(.left), 7, 0)
    f.mouse(.drag(.left), 7, 4)
    #expect(try f.lines.last == "row50")
    f.mouse(.drag(.left), 7, 2)
    _ = try f.shown.text
    #expect((10..<40).contains(f.list.firstRow))
    f.mouse(.drag(.left), 7, 0)
    f.mouse(.release(.left), 7, 0)
    #expect(try f.lines.first == "row1")
    #expect(f.list.firstRow == 0)
  }

  @Test func `a list without a height is as high as its first ten rows`() throws {
    let list = ListView(viewClass: .list)
    try list.set("rowHeight", "auto")
    list[.grow] = 0
    list[.items] = .object(ValueList(["one two", "three", "four five six"]))
    let column = try ViewClass.column.make([list, LabelView("below")])
    let shown = try ShownView(column, 7, 12)
    #expect(
      try shown.lines.withoutBar(7).prefix(7)
        == ["one", "two", "three", "four", "five", "six", "below"])
  }

  @Test func `a table's row is as high as its highest cell`() throws {
    let table = TableView(viewClass: .table)
    try table.set("rowHeight", "auto")
    table.columns = [
      try TableColumn("Name", path: "name", width: 6), try TableColumn("Again", path: "name"),
    ]
    let things = [Thing("ab cd ef gh"), Thing("x")]
    table[.items] = .object(ValueList(things.map { .object($0) }))
    let shown = try ShownView(table, 20, 5)
    #expect(
      try shown.lines == [
        "Name  │Again", "ab cd  ab cd ef gh", "ef gh", "x      x", "",
      ])
    things[1].name = "y z"
    things[0].name = "ab"
    #expect(try shown.lines.dropFirst() == ["ab     ab", "y z    y z", "", ""])
    things[0].name = "abc abc"
    table.ownWidths[table.columns[0].key] = 12
    table.columnsMoved()
    #expect(try shown.lines[1].hasPrefix("abc abc"))
    #expect(try shown.lines[2].hasPrefix("y z"))
  }

  @Test func `a line of a collection is as high as its highest cell`() throws {
    let view = CollectionView(viewClass: .collection)
    try view.set("rowHeight", "auto")
    view[.itemWidth] = 4
    view[.items] = .object(ValueList(["a b", "ab cd ef", "c", "d", "ef gh", "i"]))
    let shown = try ShownView(view, 10, 6)
    #expect(try shown.lines == ["a b  ab", "     cd", "     ef", "c    d", "ef   i", "gh"])
    view.focus()
    try shown.press("Down Down Down Right")
    #expect(view[.selectedIndex] == 5)
    shown.scene.resize(Size(width: 5, height: 3))
    #expect(try shown.lines.contains { $0.hasPrefix("i") })
  }

  @Test func `rows of a tree wrap beside their depth`() throws {
    let top = ObservableList([
      Folder("top level", [Folder("deep one"), Folder("x")]), Folder("last"),
    ])
    let tree = TreeView(viewClass: .tree)
    try tree.set("rowHeight", "auto")
    tree[.items] = .object(top.values)
    let shown = try ShownView(tree, 10, 6)
    tree.focus()
    try shown.press("Down Right")
    #expect(
      try shown.lines.withoutBar(10)
        == ["▾ top", "  level", "    deep", "    one", "    x", "  last"])
    tree.scroll(by: 1)
    try shown.press("Left")
    #expect(try shown.lines.withoutBar(10).prefix(3) == ["▸ top", "  level", "  last"])
    shown.click(0, 0)
    #expect(tree.isOpen(row: 0))
  }

  @Test func `a row grows while its text is typed, and the caret stays in sight`() throws {
    let rows = ValueList((0..<6).map { .object(Thing("row \($0)")) })
    let list = ListView(viewClass: .list)
    try list.set("rowHeight", "auto")
    let context = BindingContext()
    list.makeCell = { _, _ in
      let area = TextAreaView("")
      area[.grow] = 1
      try context.bind("dataObject.name <> text", area, area)
      return area
    }
    list[.items] = .object(rows)
    let shown = try ShownView(list, 12, 3)
    #expect(try shown.lines.withoutBar(12) == ["row 0", "row 1", "row 2"])
    try shown.press("Tab Tab Tab Tab Ctrl-End")
    for typed in ["one two", " three four", " five six"] {
      shown.type(typed)
      _ = try shown.text
      let caret = try #require(shown.scene.frame.caret)
      #expect(caret.y < 3)
    }
    #expect(try shown.lines.withoutBar(12).contains { $0.contains("six") })
    guard case .object(let thing as Thing)? = rows[2] else { return }
    #expect(thing.name == "row 2one two three four five six")
  }

  @Test func `what gets the focus in a row that is partly in sight is brought into sight`() throws {
    let list = ListView(viewClass: .list)
    try list.set("rowHeight", "auto")
    list.makeCell = { _, _ in
      let column = try ViewClass.column.make((0..<5).map { _ in FieldView("") })
      return try ViewClass.cell.make([column])
    }
    list[.items] = .object(ValueList((0..<4).map { .object(Thing("\($0)")) }))
    let shown = try ShownView(list, 12, 3)
    try shown.press("Tab")
    for _ in 0..<5 {
      try shown.press("Tab")
      _ = try shown.text
      let focused = try #require(shown.scene.focused)
      #expect(Rect(x: 0, y: 0, width: 12, height: 3).contains(focused.layout.rect))
    }
    #expect(shown.scene.focused?.layout.rect.y == 2)
    #expect(list[.selectedIndex] == 0)
  }

  @Test func `no size and no scroll does harm`() throws {
    for viewClass in [ViewClass.list, .collection, .table, .tree] {
      let view = viewClass.make()
      try view.set("rowHeight", "auto")
      view[.items] = .object(ValueList(["a", "b c d", "漢字 e\u{301}", "", "many words\nand lines"]))
      let shown = try ShownView(view, 5, 3)
      view.focus()
      for size in [(0, 0), (0, 3), (3, 0), (1, 1), (2, 2), (300, 100), (4, 3)] {
        shown.scene.resize(Size(width: size.0, height: size.1))
        try shown.press("Down PageDown Right Left End Enter Space * < > a PageUp Up Home Down")
        (view as? RowsView)?.scroll(by: .max)
        (view as? RowsView)?.scroll(by: .min)
        (view as? RowsView)?.scroll(toRow: .max)
        _ = try shown.text
        (view as? RowsView)?.scroll(toRow: -5)
        view[.selectedIndex] = .max
        _ = try shown.text
      }
      view[.items] = .null
      _ = try shown.text
    }
  }
}
