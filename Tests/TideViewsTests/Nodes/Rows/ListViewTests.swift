import Fuzzing
import Testing
import TideBindings
import TideGraph

@testable import TideViews

/// A list of things, with cells that show their names.
private struct Fixture {
  let rows: ValueList
  let list = ListView(viewClass: .list)
  let shown: ShownView

  init(_ names: [String], _ width: Int = 12, _ height: Int = 4) throws {
    rows = ValueList(names.map { .object(Thing($0)) })
    list.makeCell = { _, _ in
      let label = LabelView("")
      label.follow("dataObject", "name")
      return label
    }
    list[.items] = .object(rows)
    shown = try ShownView(list, width, height)
  }

  func name(_ value: Value) -> String? {
    guard case .object(let thing as Thing) = value else { return nil }
    return thing.name
  }
}

extension LabelView {
  /// Shows a property of an object that one of its own properties holds, as long as it lives.
  fileprivate func follow(_ holder: String, _ name: String) {
    let graph = graph
    _ = Unmanaged.passRetained(
      graph.effect { [weak self] in
        guard let self, case .object(let object as DataObject) = self[holder] else { return }
        self.text = object[name].text ?? ""
      })
  }
}

@Test func `a list shows the rows that fit, with a scroll bar when there are more`() throws {
  let few = try Fixture(["a", "b"])
  #expect(try few.shown.lines == ["a", "b", "", ""])
  let many = try Fixture((1...20).map(String.init), 5, 3)
  #expect(try many.shown.lines == ["1   ┃", "2   │", "3   │"])
  #expect(many.list.subviews.count == 3)
}

@Test func `a list with the focus and nothing selected underlines its first row in sight`() throws {
  let f = try Fixture((1...20).map(String.init), 5, 3)
  func underlined() throws -> [Int] {
    try f.shown.scene.commit()
    return (0..<3).filter { f.shown.scene.frame[0, $0].style.attributes.contains(.underline) }
  }
  #expect(try underlined() == [])
  f.list.focus()
  #expect(try underlined() == [0])
  try f.shown.press("Down")
  #expect(try underlined() == [])
  f.list[.selectedIndex] = nil
  #expect(try underlined() == [0])
  f.shown.scene.focus(nil)
  #expect(try underlined() == [])
}

@Test func `scrolling gives cells other rows`() throws {
  let f = try Fixture((1...20).map(String.init), 5, 3)
  let cells = Set(f.list.subviews.map(ObjectIdentifier.init))
  var shownRows: [Int] = []
  try f.list.on(.willDisplay) { _, event in shownRows.append(event.index ?? -1) }
  f.list.scroll(by: 1)
  #expect(try f.shown.lines.map { $0.prefix(2) } == ["2 ", "3 ", "4 "])
  #expect(shownRows == [3])
  f.list.scroll(by: 100)
  #expect(try f.shown.lines.map { $0.prefix(2) } == ["18", "19", "20"])
  f.list.scroll(by: -1000)
  #expect(try f.shown.lines.map { $0.prefix(2) } == ["1 ", "2 ", "3 "])
  #expect(Set(f.list.subviews.map(ObjectIdentifier.init)) == cells)
  #expect(f.list.subviews.map { $0[.index] } == [0, 1, 2])
}

@Test func `a million rows have no more cells than a hundred`() throws {
  let list = ListView(viewClass: .list)
  var made = 0
  list.makeCell = { object, _ in
    made += 1
    return CellView(viewClass: .cell)
  }
  list[.items] = .object(ValueList((0..<1_000_000).map { .integer($0) }))
  let shown = try ShownView(list, 10, 5)
  try shown.press("Tab End PageUp Home PageDown")
  _ = try shown.text
  #expect(made <= 10)
  #expect(list.subviews.count == 5)
}

@Test func `edits of the list show at once`() throws {
  let f = try Fixture(["a", "b", "c"])
  try f.rows.insert(.object(Thing("new")), at: 0)
  #expect(try f.shown.lines == ["new", "a", "b", "c"])
  try f.rows.remove(at: 1, count: 2)
  #expect(try f.shown.lines == ["new", "c", "", ""])
  try f.rows.replace(at: 0, with: .object(Thing("other")))
  try f.rows.move(from: 1, to: 0)
  #expect(try f.shown.lines == ["c", "other", "", ""])
  try f.rows.clear()
  #expect(try f.shown.lines == ["", "", "", ""])
  f.list[.items] = .object(ValueList([.object(Thing("last"))]))
  #expect(try f.shown.lines == ["last", "", "", ""])
  f.list[.items] = .null
  #expect(try f.shown.text == "")
  #expect(f.list.subviews.isEmpty)
}

@Test func `arrow and paging keys select and scroll`() throws {
  let f = try Fixture((1...20).map(String.init), 5, 3)
  var selected: [Int] = []
  try f.list.on(.didSelect) { _, event in selected.append(event.index ?? -1) }
  try f.shown.press("Tab Down Down Down Down")
  #expect(f.list[.selectedIndex] == 3)
  #expect(f.name(f.list[.selectedObject]) == "4")
  #expect(try f.shown.lines.map { $0.prefix(2) } == ["2 ", "3 ", "4 "])
  try f.shown.press("PageDown End Up PageUp Home Up")
  #expect(selected == [0, 1, 2, 3, 6, 19, 18, 15, 0])
  #expect(f.list[.selectedIndex] == 0)
  try f.shown.press("Enter")
  #expect(selected.last == 0)
  #expect(selected.count == 10)
}

@Test func `the selected row stands out`() throws {
  let f = try Fixture(["a", "b"])
  f.list[.selectedIndex] = 1
  _ = try f.shown.text
  #expect(!f.shown.scene.frame[0, 0].style.attributes.contains(.reverse))
  #expect(f.shown.scene.frame[0, 1].style.attributes.contains(.reverse))
  #expect(f.shown.scene.frame[9, 1].style.attributes.contains(.reverse))
  f.list[.selectedIndex] = nil
  _ = try f.shown.text
  #expect(!f.shown.scene.frame[0, 1].style.attributes.contains(.reverse))
}

@Test func `the two properties of the selection keep each other`() throws {
  let f = try Fixture(["a", "b", "c"])
  f.list[.selectedIndex] = 1
  #expect(f.name(f.list[.selectedObject]) == "b")
  f.list[.selectedObject] = f.rows[2] ?? .null
  #expect(f.list[.selectedIndex] == 2)
  f.list[.selectedIndex] = nil
  #expect(f.list[.selectedObject] == .null)
  f.list[.selectedIndex] = -1
  #expect(f.list[.selectedIndex] == nil)
}

@Test func `what is not among the rows yet is waited for`() throws {
  let f = try Fixture(["a", "b", "c"])
  f.list[.selectedIndex] = 1
  f.list[.selectedIndex] = 3
  #expect(f.list[.selectedIndex] == 3)
  #expect(f.list[.selectedObject] == .null)
  #expect(f.list.selection == nil)
  try f.rows.append("d")
  #expect(f.list[.selectedObject] == "d")
  f.list[.selectedObject] = "e"
  #expect(f.list[.selectedIndex] == nil)
  #expect(f.list[.selectedObject] == "e")
  try f.rows.insert("e", at: 0)
  #expect(f.list[.selectedIndex] == 0)
}

@Test func `the selection stays with its object`() throws {
  let f = try Fixture(["a", "b", "c", "d"])
  f.list[.selectedIndex] = 2
  try f.rows.insert(.object(Thing("new")), at: 0)
  #expect(f.list[.selectedIndex] == 3)
  try f.rows.remove(at: 0, count: 2)
  #expect(f.list[.selectedIndex] == 1)
  try f.rows.move(from: 1, to: 0)
  #expect(f.list[.selectedIndex] == 0)
  try f.rows.move(from: 2, to: 0)
  #expect(f.list[.selectedIndex] == 1)
  #expect(f.name(f.list[.selectedObject]) == "c")
  try f.rows.set(f.rows.values.reversed())
  #expect(f.name(f.list[.selectedObject]) == "c")
  #expect(f.name(f.rows[f.list[.selectedIndex] ?? -1] ?? .null) == "c")
  f.list[.items] = .object(ValueList(Array(f.rows.values.reversed())))
  #expect(f.name(f.list[.selectedObject]) == "c")
  guard case .object(let rows as ValueList) = f.list[.items] else { return }
  _ = try rows.removeObject(f.list[.selectedObject])
  #expect(f.list[.selectedIndex] == nil)
  #expect(f.list[.selectedObject] == .null)
}

@Test(arguments: [true, false])
func `a list that is told its last row before the row itself shows it`(isEqual: Bool) throws {
  let graph = Graph.current
  let rows = ValueList([])
  // It hears of an edit before the view does.
  weak var shown: ListView?
  let follower = graph.effect {
    let count = rows.count
    graph.untracked { shown?[.selectedIndex] = count > 0 ? count - 1 : nil }
  }
  defer { withExtendedLifetime(follower) {} }
  let list = ListView(viewClass: .list)
  list[.items] = .object(rows)
  let scene = try ShownView(list, 8, 3)
  shown = list
  for number in 1...10 {
    try rows.append(.string(isEqual ? "y" : "\(number)"))
    #expect(list[.selectedIndex] == number - 1)
    _ = try scene.text
    #expect(list.firstRow == max(0, number - 3))
  }
  #expect(try scene.text.hasPrefix(isEqual ? "y" : "8"))
}

@Test func `a list that follows its end shows the last rows, whatever comes and goes`() throws {
  let rows = ValueList((1...9).map { .string("\($0)") })
  let list = ListView(viewClass: .list)
  list[.items] = .object(rows)
  list[.followsEnd] = true
  let shown = try ShownView(list, 8, 3)
  #expect(try shown.text.contains("9"))
  try rows.graph.batch {
    try rows.remove(at: 0, count: 5)
    try rows.append(contentsOf: ["10", "11"])
  }
  #expect(try shown.text.contains("11"))
  #expect(list.firstRow == 3)
  list.scroll(by: -1)
  #expect(!list[.followsEnd])
  try rows.append("12")
  #expect(try !shown.text.contains("12"))
  list.choose(rows.count - 1, nil)
  #expect(list[.followsEnd])
  try rows.append("13")
  #expect(try shown.text.contains("13"))
  list.choose(0, nil)
  #expect(try shown.text.contains("6") && !list[.followsEnd])
}

@Test func `a list that never followed its end does not begin to at the end`() throws {
  let f = try Fixture((1...9).map(String.init), 5, 3)
  f.list.choose(3, nil)
  f.list.choose(8, nil)
  #expect(!f.list[.followsEnd])
}

@Test func `a row that was asked for before it came is shown when it comes`() throws {
  let f = try Fixture((1...9).map(String.init), 5, 3)
  f.list[.selectedIndex] = 9
  _ = try f.shown.text
  try f.rows.append(.object(Thing("new")))
  #expect(try f.shown.text.contains("new"))
}

@Test func `the same rows stay in sight when others come above`() throws {
  let f = try Fixture((1...20).map(String.init), 5, 3)
  f.list.scroll(by: 10)
  _ = try f.shown.text
  try f.rows.insert(.object(Thing("new")), at: 0)
  #expect(try f.shown.lines.map { $0.prefix(2) } == ["11", "12", "13"])
}

@Test func `rows may be higher than one`() throws {
  let list = ListView(viewClass: .list)
  list.makeCell = { object, index in
    try ViewClass.column.make([LabelView("row \(index)"), LabelView("---")])
  }
  list[.items] = .object(ValueList(["a", "b", "c"]))
  let shown = try ShownView(list, 10, 5)
  #expect(
    try shown.lines == ["row 0    ┃", "---      ┃", "row 1    ┃", "---      │", "row 2    │"])
  list[.rowHeight] = 1
  #expect(try shown.lines == ["row 0", "row 1", "row 2", "", ""])
}

@Test func `without a cell function rows show as text`() throws {
  let list = ListView(viewClass: .list)
  list[.items] = .object(ValueList(["apple", 3, true]))
  #expect(try ShownView(list, 10, 4).lines == ["apple", "3", "true", ""])
}

@Test func `a cell function that fails leaves the row empty and is told`() throws {
  let list = ListView(viewClass: .list)
  list.makeCell = { _, index in
    if index == 1 { throw TideError(.refused, "no cell") }
    return LabelView("row")
  }
  let scene = try Scene(root: list, size: Size(width: 10, height: 3))
  var errors: [TideError] = []
  scene.onError = { errors.append($0) }
  list[.items] = .object(ValueList([1, 2, 3]))
  let renderer = TextRenderer()
  try scene.mount(renderer)
  #expect(renderer.lines == ["row", "", "row"])
  #expect(errors.map(\.message) == ["no cell"])
}

@Test func `a click selects, and the wheel scrolls`() throws {
  let f = try Fixture((1...20).map(String.init), 5, 3)
  f.shown.click(1, 1)
  #expect(f.list[.selectedIndex] == 1)
  f.shown.scene.send(.mouse(MouseEvent(.scroll(3), at: Point(x: 1, y: 1))))
  #expect(try f.shown.lines.map { $0.prefix(2) } == ["4 ", "5 ", "6 "])
  #expect(f.list[.selectedIndex] == 1)
  f.shown.scene.send(.mouse(MouseEvent(.scroll(.max), at: Point(x: 1, y: 1))))
  f.shown.scene.send(.mouse(MouseEvent(.scroll(.min + 1), at: Point(x: 1, y: 1))))
  #expect(try f.shown.lines.map { $0.prefix(2) } == ["1 ", "2 ", "3 "])
}

@Test func `a bound list follows a replaced list and goes without harm`() throws {
  weak var gone: ListView?
  let rows = ValueList([1, 2, 3])
  do {
    let list = ListView(viewClass: .list)
    list[.items] = .object(rows)
    let shown = try ShownView(list, 5, 3)
    _ = try shown.text
    gone = list
    list.remove()
  }
  #expect(gone == nil)
  try rows.append(4)
}

@Test func `random edits, keys and scrolling show what the list holds`() throws {
  for seed in UInt64(1)...40 {
    var random = SeededGenerator(seed: seed)
    let rows = ValueList((0..<8).map { .string("\($0)") })
    let list = ListView(viewClass: .list)
    list[.items] = .object(rows)
    let shown = try ShownView(list, 8, 4)
    list.focus()
    var next = 100
    for _ in 0..<80 {
      let count = rows.count
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        next += 1
        try rows.insert(.string("\(next)"), at: Int.random(in: 0...count, using: &random))
      case 2 where count > 0: try rows.remove(at: Int.random(in: 0..<count, using: &random))
      case 3 where count > 0:
        try rows.move(
          from: Int.random(in: 0..<count, using: &random),
          to: Int.random(in: 0..<count, using: &random))
      case 4 where count > 0:
        next += 1
        try rows.replace(at: Int.random(in: 0..<count, using: &random), with: .string("\(next)"))
      case 5: list.scroll(by: Int.random(in: -3...3, using: &random))
      case 6: try shown.press(["Up", "Down", "Home", "End"].randomElement(using: &random) ?? "Up")
      default: list[.selectedIndex] = Int.random(in: -1..<count, using: &random)
      }
      let lines = try shown.lines.map { String($0.prefix(6)).trimmed }
      let values = rows.values.map { $0.text ?? "" }
      let first = list.firstRow
      let expected = Array(values.dropFirst(first).prefix(4))
      #expect(Array(lines.prefix(expected.count)) == expected, "seed \(seed)")
      #expect(first == 0 || first + 4 <= values.count, "seed \(seed)")
      if let index = list[.selectedIndex] {
        #expect(rows[index] == list[.selectedObject], "seed \(seed)")
      } else {
        #expect(list[.selectedObject] == .null, "seed \(seed)")
      }
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

@Test func `a row whose own label was taken out is shown without it`() throws {
  let rows = ValueList([.object(Thing("a")), .object(Thing("b"))])
  let list = ListView(viewClass: .list)
  list[.items] = .object(rows)
  let shown = try ShownView(list, 12, 4)
  _ = try shown.text
  list.subviews[0].subviews[0].remove()
  guard case .object(let thing as Thing)? = rows[0] else { return }
  thing.name = "c"
  #expect(try shown.lines == ["", "b", "", ""])
}

@Test func `a selected row that was in sight stays there over sizes and edits`() throws {
  let f = try Fixture((1...20).map(String.init), 5, 6)
  f.list[.selectedIndex] = 4
  _ = try f.shown.text
  f.shown.scene.resize(Size(width: 5, height: 2))
  #expect(try f.shown.lines.contains { $0.hasPrefix("5") })
  f.shown.scene.resize(Size(width: 1, height: 1))
  _ = try f.shown.text
  f.shown.scene.resize(Size(width: 5, height: 3))
  #expect(try f.shown.lines.contains { $0.hasPrefix("5") })
  for name in ["x", "y", "z"] { try f.rows.insert(.object(Thing(name)), at: 0) }
  #expect(try f.shown.lines.contains { $0.hasPrefix("5") })
  // What a person has scrolled away stays away.
  f.list.scroll(by: 10)
  _ = try f.shown.text
  f.shown.scene.resize(Size(width: 5, height: 4))
  #expect(try !f.shown.lines.contains { $0.hasPrefix("5") })
}
