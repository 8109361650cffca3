import Fuzzing
import Testing
import TideBindings
import TideGraph

@testable import TideViews

private struct Fixture {
  let top: ObservableList<Folder>
  let tree = TreeView(viewClass: .tree)
  let shown: ShownView
  let cells = NameCells()

  init(_ folders: [Folder], _ width: Int = 12, _ height: Int = 6) throws {
    top = ObservableList(folders)
    tree.makeCell = { [cells] _, _ in try cells.make() }
    tree[.items] = .object(top.values)
    shown = try ShownView(tree, width, height)
    tree.focus()
  }

  static var small: [Folder] {
    [
      Folder("src", [Folder("main"), Folder("lib", [Folder("a"), Folder("b")])]),
      Folder("readme"), Folder("tests", [Folder("one")]),
    ]
  }
}

@Test func `a tree opens and closes rows by keys`() throws {
  let f = try Fixture(Fixture.small)
  #expect(try f.shown.lines == ["▸ src", "  readme", "▸ tests", "", "", ""])
  try f.shown.press("Down Right")
  #expect(try f.shown.lines == ["▾ src", "    main", "  ▸ lib", "  readme", "▸ tests", ""])
  try f.shown.press("Right Down Space")
  #expect(
    try f.shown.lines.withoutBar(12)
      == ["▾ src", "    main", "  ▾ lib", "      a", "      b", "  readme"])
  #expect(f.tree[.selectedIndex] == 2)
  try f.shown.press("End Left Home Down Down Down Left")
  #expect(f.tree[.selectedIndex] == 2)
  try f.shown.press("Left Left Left")
  #expect(f.tree[.selectedIndex] == 0)
  #expect(try f.shown.lines == ["▸ src", "  readme", "▸ tests", "", "", ""])
  // What was open below is open again.
  try f.shown.press("Enter")
  f.tree.setOpen(true, row: 2)
  #expect(try f.shown.lines.withoutBar(12).prefix(4).last == "      a")
}

@Test func `what is open below stays so, and the selection goes to the row that closes`() throws {
  let f = try Fixture(Fixture.small)
  var events: [String] = []
  try f.tree.on("didExpand") { _, event in events.append("+\(event.index ?? -1)") }
  try f.tree.on("didCollapse") { _, event in events.append("-\(event.index ?? -1)") }
  try f.shown.press("Home *")
  #expect(f.tree.count == 7)
  f.tree[.selectedIndex] = 4
  f.tree.setOpen(false, row: 0)
  #expect(f.tree[.selectedIndex] == 0)
  #expect(f.tree.count == 3)
  f.tree.setOpen(true, row: 0)
  #expect(f.tree.count == 7)
  #expect(events == ["-0", "+0"])
}

@Test func `a click on the triangle opens, anywhere else it selects`() throws {
  let f = try Fixture(Fixture.small)
  f.shown.click(0, 0)
  #expect(try f.shown.lines[1] == "    main")
  #expect(f.tree[.selectedIndex] == nil)
  f.shown.click(0, 1)
  #expect(f.tree[.selectedIndex] == 1)
  f.shown.click(2, 2)
  #expect(try f.shown.lines[2].hasPrefix("  ▾ lib"))
}

@Test func `triangles come and go with the children`() throws {
  let readme = Folder("readme")
  let f = try Fixture([readme])
  #expect(try f.shown.lines[0] == "  readme")
  readme.children.append(Folder("x"))
  #expect(try f.shown.lines[0] == "▸ readme")
  f.tree.setOpen(true, row: 0)
  readme.children.append(Folder("y"))
  #expect(try f.shown.lines.prefix(3) == ["▾ readme", "    x", "    y"])
  // Another list in the property.
  readme.children = ObservableList([Folder("z")])
  #expect(try f.shown.lines.prefix(3) == ["▾ readme", "    z", ""])
  readme.children.removeAll()
  #expect(try f.shown.lines.prefix(2) == ["  readme", ""])
}

@Test func `ASCII alone shows a tree too`() throws {
  let f = try Fixture(Fixture.small)
  f.shown.scene.symbols = .ascii
  f.tree.setOpen(true, row: 0)
  #expect(try f.shown.lines.prefix(3) == ["- src", "    main", "  + lib"])
}

@Test func `a tree that holds itself opens level by level`() throws {
  let loop = Folder("loop")
  loop.children.append(loop)
  let f = try Fixture([loop])
  try f.shown.press("Down * Right Right Right")
  #expect(f.tree.count == 3)
  loop.children.removeAll()
  _ = try f.shown.text
  #expect(f.tree.count == 1)
}

@Test func `a deep tree is shown, and goes without harm`() throws {
  let top = Folder("0")
  var deepest = top
  for depth in 1...3000 {
    let next = Folder("\(depth)")
    deepest.children.append(next)
    deepest = next
  }
  let f = try Fixture([top])
  try f.shown.press("Down *")
  #expect(f.tree.count == 3001)
  try f.shown.press("End")
  #expect(try f.shown.lines.last?.contains("3000") == true)
  try f.shown.press("Left Left Home Left")
  #expect(f.tree.count == 1)
}

@Test func `a tree of a tree controller shows its selection and selects in it`() throws {
  let top = ObservableList(Fixture.small)
  let controller = TreeController(top.values)
  let tree = TreeView(viewClass: .tree)
  let cells = NameCells()
  tree.makeCell = { _, _ in try cells.make() }
  tree[.items] = .object(controller)
  let shown = try ShownView(tree, 12, 6)
  controller.selectionIndexPath = [1]
  #expect(tree[.selectedIndex] == 1)
  tree.focus()
  try shown.press("Up Right Down Down")
  #expect(controller.selectionIndexPath == [0, 1])
  #expect(tree[.selectedObject] == controller.node(at: [0, 1])?.object)
  try controller.remove(at: [0, 0])
  #expect(try shown.lines.prefix(2) == ["▾ src", "  ▸ lib"])
  #expect(tree[.selectedIndex] == 1)
}

@Test func `a new version of a tree is open as the old one was`() throws {
  let first = try Fixture(Fixture.small)
  try first.shown.press("Down Right Right Down Right")
  let open = try first.shown.lines
  // The same objects, and others with the same names.
  for folders in [first.top.elements, Fixture.small] {
    let tree = TreeView(viewClass: .tree)
    tree.makeCell = { _, _ in try first.cells.make() }
    tree[.items] = .object(ObservableList(folders).values)
    let shown = try ShownView(first.tree, 12, 6)
    try shown.scene.reconcile(with: tree)
    #expect(try shown.lines.map { $0.prefix(9) } == open.map { $0.prefix(9) })
    try shown.scene.reconcile(with: first.tree)
  }
}

@Test func `random edits of a tree show what walking it gives`() throws {
  for seed in UInt64(1)...60 {
    var random = SeededGenerator(seed: seed)
    let f = try Fixture([Folder("0"), Folder("1")], 40, 8)
    var made = 2
    for step in 0..<60 {
      let folders = all(f.top.elements)
      let list =
        Int.random(in: 0..<3, using: &random) == 0
        ? f.top : folders.randomElement(using: &random)?.children ?? f.top
      let count = list.elements.count
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1:
        let new = (0..<Int.random(in: 1...3, using: &random)).map { _ in
          made += 1
          return Folder("\(made)", Bool.random(using: &random) ? [Folder("\(made)x")] : [])
        }
        for folder in new {
          try list.insert(folder, at: Int.random(in: 0...list.elements.count, using: &random))
        }
      case 2 where count > 0: _ = try list.remove(at: Int.random(in: 0..<count, using: &random))
      case 3 where count > 1:
        try list.move(
          from: Int.random(in: 0..<count, using: &random),
          to: Int.random(in: 0..<count, using: &random))
      case 4 where count > 0: list.set(list.elements.shuffled(using: &random))
      case 5:
        try f.shown.press(
          ["Up", "Down", "End", "Left", "Right", "Space", "*"].randomElement(using: &random) ?? "Up"
        )
      case 6: f.tree.scroll(by: Int.random(in: -3...3, using: &random))
      default:
        let row = Int.random(in: -1...f.tree.count, using: &random)
        f.tree.setOpen(!f.tree.isOpen(row: row), row: row)
      }
      let lines = try f.shown.lines
      let rows = flat(f.top.elements, f.tree)
      #expect(f.tree.count == rows.count, "seed \(seed), step \(step)")
      let expected = rows.dropFirst(f.tree.firstRow).prefix(8)
      // The scroll bar stands at the end where there is one.
      let shown = lines.prefix(expected.count).map { line in
        line.split(whereSeparator: { " ▸▾┃│".contains($0) }).joined()
      }
      #expect(shown == expected.map(\.name), "seed \(seed), step \(step)")
      for (offset, folder) in rows.enumerated() where offset % 3 == 0 {
        #expect(f.tree.rows?.index(of: .object(folder)) == offset, "seed \(seed), step \(step)")
      }
      if let index = f.tree[.selectedIndex] {
        #expect(f.tree[.selectedObject] == .object(rows[index]), "seed \(seed), step \(step)")
      } else {
        #expect(f.tree[.selectedObject] == .null)
      }
    }
  }
}

/// All folders there are.
private func all(_ folders: [Folder]) -> [Folder] {
  folders.flatMap { [$0] + all($0.children.elements) }
}

/// The rows that are to show, found by walking what the tree says is open.
private func flat(_ folders: [Folder], _ tree: TreeView) -> [Folder] {
  guard let marks = tree.rows?.marks else { return [] }
  return folders.flatMap { folder in
    [folder] + (marks.contains(.object(folder)) ? flat(folder.children.elements, tree) : [])
  }
}

/// A model that holds others of its kind.
final class Folder: DataObject {
  @Property var name = ""
  @Property var children = ObservableList<Folder>()

  init(_ name: String, _ children: [Folder] = []) {
    super.init()
    self.name = name
    if !children.isEmpty { self.children = ObservableList(children) }
  }
}
