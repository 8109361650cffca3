import Fuzzing
import Glibc
import Testing
import TideBindings
import TideGraph

@testable import TideViews

/// A list in which many rows may be selected.
private struct Fixture {
  let rows: ValueList
  let list: ListView
  let shown: ShownView

  init(_ rows: ValueList, mode: String = "many", height: Int = 6, isChecked: Bool = true) throws {
    self.rows = rows
    list = ListView(viewClass: .list)
    list[.items] = .object(rows)
    list[.selectionMode] = mode
    shown = try ShownView(list, 12, height, isChecked: isChecked)
    list.focus()
    _ = try shown.text
  }

  init(count: Int, mode: String = "many") throws {
    try self.init(ValueList((1...count).map { .string("row \($0)") }), mode: mode)
  }

  func click(_ row: Int, _ modifiers: Key.Modifiers = []) {
    for kind in [MouseEvent.Kind.press(.left), .release(.left)] {
      shown.scene.send(
        .mouse(MouseEvent(kind, at: Point(x: 1, y: row), modifiers: modifiers)))
    }
  }
}

@Suite struct SelectionTests {
  @Test(arguments: ["one", "many"])
  func `what is chosen at first is in sight, whichever was said first`(mode: String) throws {
    let rows = ValueList((1...60).map { .string("row \($0)") })
    for isChosenFirst in [true, false] {
      let list = ListView(viewClass: .list)
      list.graph.batch {
        list[.selectionMode] = mode
        if isChosenFirst { list[.selectedIndex] = 49 }
        list[.items] = .object(rows)
        if !isChosenFirst { list[.selectedIndex] = 49 }
      }
      let shown = try ShownView(list, 12, 4)
      #expect(try shown.text.contains("row 50"))
      // Other rows begin at their beginning.
      list[.items] = .object(ValueList((1...60).map { .string("line \($0)") }))
      #expect(try shown.text.contains("line 1"))
    }
  }

  @Test func `Shift extends the selection, from where it began`() throws {
    let f = try Fixture(count: 12)
    try f.shown.expect(
      f.list.selectedIndexes,
      after: [
        "Down": [0], "Shift-Down": [0, 1], "Shift-Down Shift-Down": [0, 1, 2, 3],
        "Shift-Up": [0, 1, 2], "Down": [3], "Shift-Home": [0, 1, 2, 3],
        "Shift-End": Array(3...11), "Up": [10], "Shift-PageUp": Array(4...10),
      ])
    #expect(f.list[.selectedIndex] == 4)
    f.shown.expectSound()
  }

  @Test func `Space selects besides, after Ctrl with an arrow has only moved`() throws {
    let f = try Fixture(count: 6)
    try f.shown.expect(
      f.list.selectedIndexes,
      after: [
        "Down": [0], "Ctrl-Down Ctrl-Down": [0], "Space": [0, 2], "Ctrl-End Space": [0, 2, 5],
        "Space": [0, 2], "Shift-Up": [4, 5], "Ctrl-A": [0, 1, 2, 3, 4, 5],
      ])
    #expect(f.list.selection == 4)
  }

  @Test func `the mouse selects with Shift and Ctrl`() throws {
    let f = try Fixture(count: 6)
    var heard: [Int?] = []
    try f.list.on(.didSelect) { _, event in heard.append(event.index) }
    f.click(1)
    f.click(4, .shift)
    #expect(f.list.selectedIndexes == [1, 2, 3, 4])
    f.click(2, .control)
    #expect(f.list.selectedIndexes == [1, 3, 4])
    f.click(3)
    #expect(f.list.selectedIndexes == [3])
    f.click(3)
    #expect(heard == [1, 4, 2, 3, 3])
    #expect(try f.shown.text.contains("row 4"))
  }

  @Test func `where one may be selected modifiers make no difference`() throws {
    let f = try Fixture(count: 6, mode: "one")
    f.click(1)
    f.click(3, .control)
    #expect(f.list.selectedIndexes == [3] && f.list.selectedObjects == ["row 4"])
    try f.shown.press("Ctrl-A Shift-Down")
    #expect(f.list.selectedIndexes == [3])
    f.list.selectedIndexes = [4, 5]
    #expect(f.list[.selectedIndex] == 4 && f.list.selectedIndexes == [4])
  }

  @Test func `where nothing may be selected keys scroll, and clicks are clicks`() throws {
    let f = try Fixture(count: 12, mode: "none")
    var heard: [EventName] = []
    try f.list.on(.didSelect) { _, event in heard.append(event.name) }
    try f.list.on(.click) { _, event in heard.append(event.name) }
    f.click(2)
    try f.shown.press("Down PageDown")
    #expect(f.list.firstRow == 6 && f.list.selectedIndexes == [])
    f.list[.selectedIndex] = 3
    #expect(f.list[.selectedIndex] == nil)
    #expect(heard == [.click])
    _ = try f.shown.text
  }

  @Test func `the lists can be set, and what is not there yet is waited for`() throws {
    let f = try Fixture(count: 3)
    f.list.selectedIndexes = [2, 0, 4]
    #expect(f.list.selectedIndexes == [0, 2])
    try f.rows.insert(contentsOf: ["row 4", "row 5"], at: 3)
    #expect(f.list.selectedIndexes == [0, 2, 4])
    f.list.selectedObjects = ["row 2", "row 6"]
    #expect(f.list.selectedIndexes == [1])
    try f.rows.insert("row 6", at: 0)
    #expect(f.list.selectedIndexes == [0, 2] && f.list[.selectedObject] == "row 6")
    try f.list.set("selectedIndexes", .null)
    #expect(f.list.selectedIndexes == [])
    f.shown.expectSound()
  }

  @Test func `wrong row numbers are errors that say which`() throws {
    let f = try Fixture(count: 3)
    for wrong: Value in [0, 1.5, "x", -1] {
      let error = #expect(throws: TideError.self) {
        try f.list.set("selectedIndexes", .object(ValueList([1, wrong])))
      }
      #expect(error?.message.contains("number 2 of the list") == true)
    }
    #expect(throws: TideError.self) { try f.list.set("selectionMode", "several") }
  }

  @Test func `a change of the mode keeps what may stay`() throws {
    let f = try Fixture(count: 5)
    f.list.selectedIndexes = [1, 3]
    f.list[.selectionMode] = "one"
    #expect(f.list.selectedIndexes == [1] && f.list[.selectedIndex] == 1)
    f.list[.selectionMode] = "many"
    try f.shown.press("Shift-Down")
    #expect(f.list.selectedIndexes == [1, 2])
    f.list[.selectionMode] = "none"
    #expect(f.list.selectedIndexes == [] && f.list[.selectedObject] == .null)
    _ = try f.shown.text
  }

  @Test func `a million rows are selected in about the time of a thousand`() throws {
    func measured(_ count: Int) throws -> (time: Double, Fixture) {
      let f = try Fixture(ValueList((0..<count).map { .integer($0) }), isChecked: false)
      // The time of this thread alone, because the machine may be busy.
      let start = processorTime()
      for _ in 0..<20 { try f.shown.press("Ctrl-A Shift-Home Ctrl-A Shift-End") }
      try f.rows.insert(-1, at: count / 2)
      try f.shown.commit()
      return (processorTime() - start, f)
    }
    let (few, _) = try measured(1000)
    let (time, f) = try measured(1_000_000)
    #expect(time < few * 10 + 2)
    try f.shown.press("Ctrl-A")
    #expect(f.list.selectedRows.count == 1_000_001)
    #expect(f.list.selectedIndexes.count == 1_000_001)
  }

  @Test func `the selection stays with its objects when a table is sorted anew`() throws {
    let table = TableView(viewClass: .table)
    let rows = ValueList(["c", "a", "d", "b"].map { .object(Thing($0)) })
    table[.items] = .object(rows)
    table[.columns] = .object(ValueList(["name"]))
    table[.selectionMode] = "many"
    let shown = try ShownView(table, 12, 6)
    table.selectedIndexes = [0, 3]
    table[.sort] = "name"
    _ = try shown.text
    let names = { table.selectedObjects.map { ($0.object as? Thing)?.name } }
    #expect(names() == ["b", "c"])
    #expect(table.selectedIndexes == [1, 2])
    table[.sort] = "-name"
    #expect(names() == ["c", "b"])
  }

  @Test func `with a controller's rows both agree`() throws {
    let controller = ListController(ValueList(["a", "b", "c", "d"]))
    let list = ListView(viewClass: .list)
    list[.items] = .object(controller.arrangedObjects)
    list[.selectionMode] = "many"
    let context = BindingContext()
    try context.bind("selectionIndexes <> selectedIndexes", controller, list)
    let shown = try ShownView(list, 12, 6)
    list.focus()
    controller.selectionIndexes = [1, 2]
    #expect(list.selectedIndexes == [1, 2])
    try shown.press("Shift-Down")
    #expect(controller.selectionIndexes == list.selectedIndexes)
    try shown.press("Ctrl-A")
    #expect(controller.selectionIndexes == [0, 1, 2, 3])
    controller.selectionIndexes = [0, 3]
    #expect(list.selectedIndexes == [0, 3])
    try controller.content?.insert("x", at: 0)
    #expect(controller.selectionIndexes == [1, 4])
    #expect(list.selectedIndexes == [1, 4])
    _ = try shown.text
    withExtendedLifetime(context) {}
  }

  @Test func `a tree controller's nodes and the rows agree`() throws {
    let controller = TreeController(ValueList(["a", "b", "c"].map { .object(Thing($0)) }))
    let tree = TreeView(viewClass: .tree)
    tree[.items] = .object(controller)
    tree[.selectionMode] = "many"
    let shown = try ShownView(tree, 12, 6)
    tree.focus()
    try shown.press("Home Shift-Down Shift-Down")
    #expect(controller.selectedNodes.count == 3)
    try controller.select([controller.selectedNodes[2], controller.selectedNodes[0]])
    #expect(tree.selectedIndexes == [0, 2])
    try shown.press("Ctrl-Up Ctrl-Up Space")
    #expect(controller.selectedNodes.count == tree.selectedIndexes.count)
    _ = try shown.text
  }

  @Test func `a reload keeps the selection`() throws {
    func app(_ texts: [String]) throws -> View {
      let list = ListView(viewClass: .list)
      list[.id] = "list"
      list[.selectionMode] = "many"
      list[.items] = .object(ValueList(texts.map { .string($0) }))
      return try ViewClass.column.make([list])
    }
    let shown = try ShownView(app(["a", "b", "c", "d"]), 12, 6)
    try shown.press("Tab Down Ctrl-End Space")
    try shown.scene.reconcile(with: app(["x", "a", "b", "c", "d"]))
    _ = try shown.text
    let list = try #require(shown.scene.root?.find("list") as? ListView)
    #expect(list.selectedObjects == ["a", "d"])
    try shown.press("Shift-Up")
    #expect(list.selectedObjects == ["c", "d"])
  }

  @Test func `rows that are closed in a tree leave the selection to the row above them`() throws {
    let tree = TreeView(viewClass: .tree)
    let children: [Value] = ["x", "y"]
    tree.childrenOf = { $0 == "a" ? ValueList(children) : nil }
    tree[.items] = .object(ValueList(["a", "b"]))
    tree[.selectionMode] = "many"
    let shown = try ShownView(tree, 12, 6)
    tree.focus()
    tree.setOpen(true, row: 0)
    _ = try shown.text
    try shown.press("End Ctrl-Up Space")
    #expect(tree.selectedObjects == ["y", "b"])
    tree.setOpen(false, row: 0)
    #expect(tree.selectedObjects == ["a", "b"])
    _ = try shown.text
  }

  // MARK: Looks

  @Test func `rowStyle gives the look of rows in sight, again when what it read changes`() throws {
    let things = ["fig", "pear"].map(Thing.init)
    let f = try Fixture(
      ValueList(things.map { .object($0) } + (0..<1000).map { .integer($0) }), mode: "one")
    var calls = 0
    f.list.rowStyle = { object, _ in
      calls += 1
      guard case .object(let thing as Thing) = object else { return .null }
      return thing.name == "fig" ? "error" : "bold italic"
    }
    _ = try f.shown.text
    #expect(calls < 20)
    #expect(f.shown.scene.frame[0, 0].style.foreground == .ansi(1))
    #expect(f.shown.scene.frame[0, 1].style.attributes.contains(.italic))
    things[0].name = "plum"
    _ = try f.shown.text
    #expect(f.shown.scene.frame[0, 0].style.foreground != .ansi(1))
    #expect(f.shown.scene.frame[0, 0].style.attributes.contains(.bold))
    f.list.scroll(by: 1)
    _ = try f.shown.text
    #expect(f.shown.scene.frame[0, 0].style.attributes.contains(.italic))
    #expect(!f.shown.scene.frame[0, 1].style.attributes.contains(.italic))
  }

  @Test func `a look that is none is an error, and the row is plain`() throws {
    let f = try Fixture(count: 3, mode: "one")
    var errors: [TideError] = []
    f.shown.scene.onError = { errors.append($0) }
    f.list.rowStyle = { _, index in index == 1 ? "eror" : .null }
    #expect(try f.shown.text.contains("row 2"))
    #expect(errors.count == 1)
    #expect(errors.first?.message.contains("did you mean \"error\"") == true)
  }

  // MARK: A law

  @Test(arguments: 0..<30)
  func `the selection is that of a simple model, whatever happens to the rows`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let rows = ValueList((0..<8).map { .integer($0) })
    let f = try Fixture(rows)
    // The values are unique, so that the model is a set of them.
    var selected: Set<Int> = []
    var next = 8
    func number(_ row: Int) -> Int { Int.make(from: rows[row] ?? .null) ?? -1 }
    for _ in 0..<60 {
      let count = rows.count
      let row = Int.random(in: 0..<max(1, count), using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1:
        try rows.insert(.integer(next), at: Int.random(in: 0...count, using: &random))
        next += 1
      case 2 where count > 0:
        selected.remove(number(row))
        try rows.remove(at: row)
      case 3 where count > 0:
        try rows.move(from: row, to: Int.random(in: 0..<count, using: &random))
      case 4 where count > 0:
        let end = Int.random(in: row..<count, using: &random)
        f.list.choose(row, nil)
        f.list.extend(to: end, nil)
        selected = Set((row...end).map(number))
      case 5 where count > 0:
        f.list.toggle(row, nil)
        selected.formSymmetricDifference([number(row)])
      case 6 where count > 0:
        f.list.choose(row, nil)
        selected = [number(row)]
      case 7 where count > 0:
        // Taken out and put back in one wave.
        try rows.graph.batch {
          let value = rows[row] ?? .null
          try rows.remove(at: row)
          try rows.insert(value, at: Int.random(in: 0..<count, using: &random))
        }
      case 8:
        let wanted = (0..<count).filter { _ in Bool.random(using: &random) }
        f.list.selectedIndexes = wanted
        selected = Set(wanted.map(number))
      default: break
      }
      _ = try f.shown.text
      let found = f.list.selectedObjects.compactMap { Int.make(from: $0) }
      #expect(found == rows.values.compactMap { Int.make(from: $0) }.filter(selected.contains))
      #expect(f.list.selectedIndexes.map(number) == found)
      #expect(f.list[.selectedIndex] == f.list.selectedIndexes.first)
    }
  }
}

extension Value {
  fileprivate var object: AnyObject? {
    if case .object(let object) = self { object } else { nil }
  }
}

/// The seconds that this thread has run.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
