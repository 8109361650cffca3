import Fuzzing
import Testing
import TideBindings
import TideGraph

@testable import TideViews

@Test func `a column puts views below each other, a row side by side`() throws {
  let column = try ViewClass.column.make([LabelView("a"), LabelView("b")])
  #expect(try ShownView(column, 5, 3).lines == ["a", "b", ""])
  let row = try ViewClass.row.make([LabelView("a"), LabelView("b")])
  #expect(try ShownView(row, 5, 1).lines == ["ab"])
}

@Test func `a size given to a view that grows is where it begins, and gives way`() throws {
  for (name, size) in [("column", Size(width: 1, height: 12)), ("row", Size(width: 12, height: 1))]
  {
    let first = View(viewClass: .view)
    let second = View(viewClass: .view)
    for (view, length) in [(first, 4.0), (second, 2.0)] {
      if name == "row" { view[.width] = length } else { view[.height] = length }
      view[.grow] = 1
    }
    let viewClass: ViewClass = name == "row" ? .row : .column
    let shown = try ShownView(viewClass.make([first, second]), size.width, size.height)
    func lengths() throws -> [Int] {
      _ = try shown.text
      return [first, second].map { max($0.layout.rect.width, $0.layout.rect.height) }
    }
    #expect(try lengths() == [7, 5])
    shown.scene.resize(Size(width: min(size.width, 3), height: min(size.height, 3)))
    #expect(try lengths() == [2, 1])
  }
}

@Test func `spacing, padding and margin keep distance`() throws {
  let middle = LabelView("b")
  let row = try ViewClass.row.make([LabelView("a"), middle, LabelView("c")])
  row[.spacing] = 1
  row[.padding] = 1
  let shown = try ShownView(row, 12, 3)
  #expect(try shown.lines == ["", " a b c", ""])
  middle[.margin] = 1
  #expect(try shown.lines == ["", " a     c", ""])
  row[.padding] = 0
  #expect(try shown.lines == ["a     c", "   b", ""])
}

@Test func `padding is a number, named sides or a list`() throws {
  let label = LabelView("x")
  let column = try ViewClass.column.make([label])
  let shown = try ShownView(column, 6, 4)
  column[.padding] = .object(ValueList([1, 2]))
  #expect(try shown.lines == ["", "  x", "", ""])
  column[.padding] = .object(ValueList([0, 0, 0, 3]))
  #expect(try shown.lines == ["   x", "", "", ""])
  let sides = DataObject(
    shape: Shape(
      name: "sides",
      properties: [
        PropertyDescription("left", .number, initial: .integer(1)),
        PropertyDescription("vertical", .number, initial: .integer(1)),
      ]))
  column[.padding] = .object(sides)
  #expect(try shown.lines == ["", " x", "", ""])
  column[.padding] = .null
  #expect(try shown.lines == ["x", "", "", ""])
  for nonsense: Value in ["wide", -1, .number(.nan), .object(ValueList(["x"])), true] {
    let error = #expect(throws: TideError.self) { try column.set("padding", nonsense) }
    #expect(error?.message.hasPrefix("column.padding is a number of cells") == true)
  }
}

@Test func `fixed, natural and growing widths share a row`() throws {
  let fixed = LabelView("f")
  fixed[.width] = 3
  let growing = LabelView("g")
  growing[.grow] = 1
  let row = try ViewClass.row.make([fixed, LabelView("nn"), growing, LabelView("|")])
  #expect(try ShownView(row, 12, 1).lines == ["f  nng     |"])
}

@Test func `widths stay within their limits`() throws {
  let a = LabelView("a")
  a[.grow] = 1
  a[.maxWidth] = 4
  let b = LabelView("b")
  b[.minWidth] = 5
  let row = try ViewClass.row.make([a, b, LabelView("|")])
  #expect(try ShownView(row, 20, 1).lines == ["a   b    |"])
}

@Test func `a spacer pushes its neighbours apart`() throws {
  let row = try ViewClass.row.make([LabelView("a"), ViewClass.spacer.make(), LabelView("b")])
  #expect(try ShownView(row, 6, 1).lines == ["a    b"])
  let column = try ViewClass.column.make([LabelView("a"), ViewClass.spacer.make(), LabelView("b")])
  #expect(try ShownView(column, 6, 4).lines == ["a", "", "", "b"])
}

@Test(arguments: [
  ("start", ["a"], ["a", "", ""]), ("center", ["  a"], ["", "a", ""]),
  ("end", ["    a"], ["", "", "a"]),
])
func `align places subviews across`(align: String, column: [String], row: [String]) throws {
  let inColumn = try ViewClass.column.make([LabelView("a")])
  inColumn[.align] = align
  #expect(try ShownView(inColumn, 5, 1).lines == column)
  let inRow = try ViewClass.row.make([LabelView("a")])
  inRow[.align] = align
  #expect(try ShownView(inRow, 5, 3).lines == row)
}

@Test func `a control that is as wide as what it shows is placed by its own align`() throws {
  let button = ButtonView("Go")
  button[.align] = "end"
  let inColumn = try ViewClass.column.make([LabelView("above"), button])
  let shown = try ShownView(inColumn, 10, 2)
  #expect(try shown.lines == ["above", "    [ Go ]"])
  button[.align] = "center"
  #expect(try shown.lines == ["above", "  [ Go ]"])
  inColumn[.align] = "end"
  button[.align] = "stretch"
  #expect(try shown.lines == ["     above", "    [ Go ]"])
  button[.align] = "start"
  #expect(try shown.lines == ["     above", "[ Go ]"])
  button[.width] = 8
  #expect(try shown.lines == ["     above", "  [ Go ]"])
  button[.width] = nil
  button.remove()
  button[.align] = "end"
  let inGrid = try ViewClass.grid.make([LabelView("above this"), button])
  inGrid[.columns] = .integer(1)
  #expect(try ShownView(inGrid, 10, 2).lines == ["above this", "    [ Go ]"])
  button.remove()
  #expect(try ShownView(try ViewClass.tabs.make([button]), 10, 3).lines.last == "    [ Go ]")
}

@Test func `a hidden view takes no room`() throws {
  let middle = LabelView("b")
  let column = try ViewClass.column.make([LabelView("a"), middle, LabelView("c")])
  column[.spacing] = 1
  let shown = try ShownView(column, 3, 5)
  middle[.hidden] = true
  #expect(try shown.lines == ["a", "", "c", "", ""])
  middle[.hidden] = false
  #expect(try shown.lines == ["a", "", "b", "", "c"])
}

@Test func `a column too low cuts off its end, growing views first`() throws {
  let list = LabelView("grows")
  list[.grow] = 1
  let column = try ViewClass.column.make([LabelView("a"), list, LabelView("b")])
  #expect(try ShownView(column, 5, 2).lines == ["a", "b"])
  #expect(try ShownView(column, 5, 1).lines == ["a"])
}

@Test func `a row too narrow shortens its texts`() throws {
  let row = try ViewClass.row.make([LabelView("abcdefgh"), LabelView("ijkl")])
  #expect(try ShownView(row, 6, 1).lines == ["abc…i…"])
}

@Test func `text wraps where its column is narrow, and what follows moves down`() throws {
  let label = LabelView("one two three")
  label[.wrap] = true
  let column = try ViewClass.column.make([try ViewClass.row.make([label]), LabelView("after")])
  let shown = try ShownView(column, 20, 4)
  #expect(try shown.lines == ["one two three", "after", "", ""])
  shown.scene.resize(Size(width: 8, height: 4))
  #expect(try shown.lines == ["one two", "three", "after", ""])
  label.text = "one"
  #expect(try shown.lines == ["one", "after", "", ""])
}

@Test func `wrapped text beside something fixed wraps in what is left`() throws {
  let label = LabelView("aa bb cc")
  label[.wrap] = true
  let fixed = LabelView("|")
  fixed[.width] = 3
  let row = try ViewClass.row.make([fixed, label])
  let column = try ViewClass.column.make([row, LabelView("end")])
  #expect(try ShownView(column, 8, 4).lines == ["|  aa bb", "   cc", "end", ""])
}

@Test func `sizes that no screen has do no harm`() throws {
  for number in [1e300, -5, .infinity, -.infinity, .nan, 0.5] {
    let label = LabelView("x")
    label[.width] = number
    label[.height] = number
    label[.grow] = number
    label[.padding] = .number(number)
    label[.margin] = .number(number)
    label[.minWidth] = number
    label[.maxWidth] = number
    let row = try ViewClass.row.make([label, LabelView("y")])
    row[.spacing] = number
    _ = try ShownView(try ViewClass.column.make([row]), 5, 2).text
  }
}

@Test(arguments: [(0, 0), (1, 1), (0, 5), (5, 0), (2, 1), (1, 2), (3, 3)])
func `every class is shown in any size`(width: Int, height: Int) throws {
  let views = ViewClasses()
  let root = try ViewClass.column.make([])
  for name in views.names where name != "window" {
    let view = try views.make(name)
    if view.takesSubviews && !(view is RowsView) { try view.add(LabelView("inside 漢字")) }
    try root.add(view)
    let shown = try ShownView(view, width, height)
    #expect(try shown.lines.count == height)
    try root.add(view)
  }
  let shown = try ShownView(root, width, height)
  try shown.press("Tab a Tab Enter Tab")
  #expect(try shown.lines.allSatisfy { CharacterWidth.of($0) <= width })
}

@Test func `subviews stand inside their superviews and not on each other`() throws {
  for seed in UInt64(1)...150 {
    var random = SeededGenerator(seed: seed)
    var views: [View] = []
    let root = try randomTree(depth: 4, &random, &views)
    let size = Size(
      width: Int.random(in: 0...60, using: &random), height: Int.random(in: 0...25, using: &random))
    let shown = try ShownView(root, size.width, size.height)
    _ = try shown.text
    for view in views where !view.layout.box.isHidden {
      let rect = view.layout.rect
      if let parent = view.parent { #expect(parent.layout.rect.contains(rect), "seed \(seed)") }
      let siblings = view.children.filter { !$0.layout.box.isHidden }
      for (one, next) in zip(siblings, siblings.dropFirst()) {
        let a = one.layout.rect
        let b = next.layout.rect
        #expect(a.intersection(b).isEmpty, "seed \(seed)")
        if view.viewClass.arrangement?.axis == .horizontal {
          #expect(a.maxX <= b.x || b.isEmpty, "seed \(seed)")
        } else {
          #expect(a.maxY <= b.y || b.isEmpty, "seed \(seed)")
        }
      }
    }
  }
}

private func randomTree(
  depth: Int, _ random: inout SeededGenerator, _ views: inout [View]
) throws -> View {
  let classes: [ViewClass] =
    depth == 0 ? [.label, .button, .field, .progress, .divider] : [.row, .column, .box, .label]
  guard let viewClass = classes.randomElement(using: &random) else { return LabelView() }
  let view = viewClass.make()
  views.append(view)
  if viewClass === ViewClass.label {
    view[.text] = String(repeating: "word 漢 ", count: Int.random(in: 0...5, using: &random))
    view[.wrap] = Bool.random(using: &random)
  }
  if Int.random(in: 0..<4, using: &random) == 0 { view[.width] = 8 }
  if Int.random(in: 0..<4, using: &random) == 0 { view[.height] = 3 }
  if Int.random(in: 0..<3, using: &random) == 0 { view[.grow] = 1 }
  if Int.random(in: 0..<4, using: &random) == 0 { view[.padding] = 1 }
  if Int.random(in: 0..<4, using: &random) == 0 { view[.margin] = 1 }
  if Int.random(in: 0..<6, using: &random) == 0 { view[.hidden] = true }
  view[.align] = ["start", "center", "end", "stretch"].randomElement(using: &random) ?? "start"
  view[.spacing] = Double(Int.random(in: 0...2, using: &random))
  if view.takesSubviews {
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      try view.add(try randomTree(depth: depth - 1, &random, &views))
    }
  }
  return view
}
