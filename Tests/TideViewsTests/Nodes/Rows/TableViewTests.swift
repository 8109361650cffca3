import Fuzzing
import Testing
import TideBindings
import TideGraph

@testable import TideViews

/// A fruit on sale.
private final class Fruit: DataObject {
  @Property var name = ""
  @Property var price = 0.0

  init(_ name: String, _ price: Double) {
    super.init()
    self.name = name
    self.price = price
  }
}

private struct Fixture {
  let stock: ObservableList<Fruit>
  let table = TableView(viewClass: .table)
  let shown: ShownView

  init(_ width: Int = 22, _ height: Int = 5, items: Value? = nil) throws {
    stock = ObservableList([Fruit("fig", 3), Fruit("apple", 12.5), Fruit("pear", 3)])
    table.columns = [
      try TableColumn("Fruit", path: "name"),
      try TableColumn("Price", path: "price", width: 8),
    ]
    table[.items] = items ?? .object(stock.values)
    shown = try ShownView(table, width, height)
  }

  var names: [String] {
    get throws {
      try shown.lines.dropFirst().compactMap { $0.split(separator: " ").first.map(String.init) }
    }
  }
}

@Test func `a table shows headings and columns, numbers at the right`() throws {
  let f = try Fixture()
  #expect(
    try f.shown.lines == [
      "Fruit        │   Price", "fig                  3", "apple             12.5",
      "pear                 3", "",
    ])
  f.stock.elements[1].price = 4
  f.stock.elements[1].name = "a very long fruit"
  #expect(try f.shown.lines[2] == "a very long …        4")
}

@Test func `a click on a heading sorts, then the other way, then not at all`() throws {
  let f = try Fixture()
  var events: [Value] = []
  try f.table.on("sort") { _, event in events.append(event.value) }
  f.shown.click(15, 0)
  #expect(try f.names == ["fig", "pear", "apple"])
  #expect(try f.shown.lines[0] == "Fruit        │ Price ▲")
  f.shown.click(15, 0)
  #expect(try f.names == ["apple", "fig", "pear"])
  #expect(try f.shown.lines[0] == "Fruit        │ Price ▼")
  f.shown.click(15, 0)
  #expect(try f.names == ["fig", "apple", "pear"])
  #expect(events == ["price", "-price", .null])
}

@Test func `sorted rows follow what they are sorted by, and the selection its object`() throws {
  let f = try Fixture()
  f.table[.sort] = "name"
  #expect(try f.names == ["apple", "fig", "pear"])
  f.table[.selectedIndex] = 1
  f.stock.elements[1].name = "zucchini"
  #expect(try f.names == ["fig", "pear", "zucchini"])
  #expect(f.table[.selectedIndex] == 0)
  f.table[.sort] = "-name"
  #expect(try f.names == ["zucchini", "pear", "fig"])
  #expect(f.table[.selectedObject] == .object(f.stock.elements[0]))
  #expect(f.table[.selectedIndex] == 2)
  #expect(f.stock.elements.map(\.name) == ["fig", "zucchini", "pear"])
}

@Test func `keys choose a heading, sort by it and change its width`() throws {
  let f = try Fixture()
  f.table.focus()
  try f.shown.press("Right Right")
  _ = try f.shown.text
  #expect(f.shown.scene.frame[15, 0].style.attributes.contains(.reverse))
  try f.shown.press("Space")
  #expect(f.table[.sort] == "price")
  try f.shown.press("Enter")
  #expect(f.table[.sort] == "-price")
  try f.shown.press("Enter Space")
  #expect(f.table[.sort] == "price")
  try f.shown.press("< <")
  #expect(try f.shown.lines[0] == "Fruit          │Pri… ▲")
  try f.shown.press(">")
  #expect(try f.shown.lines[0] == "Fruit         │Price ▲")
  try f.shown.press("Escape")
  #expect(!f.shown.scene.send(.key(Key(.space))))
}

@Test func `dragging the edge of a heading changes the width, within its limits`() throws {
  let f = try Fixture()
  f.table.columns[0].minWidth = 4
  f.table.columns[0].maxWidth = 9
  _ = try f.shown.text
  let edge = f.table.spans[0].upperBound
  let scene = f.shown.scene
  scene.send(.mouse(MouseEvent(.press(.left), at: Point(x: edge, y: 0))))
  scene.send(.mouse(MouseEvent(.drag(.left), at: Point(x: edge - 2, y: 3))))
  _ = try f.shown.text
  #expect(f.table.spans[0] == 0..<edge - 2)
  scene.send(.mouse(MouseEvent(.drag(.left), at: Point(x: -50, y: 3))))
  _ = try f.shown.text
  #expect(f.table.spans[0] == 0..<4)
  scene.send(.mouse(MouseEvent(.drag(.left), at: Point(x: 50, y: 3))))
  scene.send(.mouse(MouseEvent(.release(.left), at: Point(x: 50, y: 3))))
  _ = try f.shown.text
  #expect(f.table.spans[0] == 0..<9)
  #expect(f.table[.sort] == nil)
}

@Test func `columns that need more than there is scroll sideways`() throws {
  let f = try Fixture(12, 4)
  f.table.columns = [
    try TableColumn("Fruit", path: "name", width: 8),
    try TableColumn("Price", path: "price", width: 8),
  ]
  #expect(try f.shown.lines[0] == "Fruit   │  ›")
  #expect(try f.shown.lines[1] == "fig")
  f.table.focus()
  try f.shown.press("Left")
  #expect(try f.shown.lines[0] == "‹  │   Price")
  #expect(try f.shown.lines[2] == "        12.5")
  f.shown.scene.send(
    .mouse(MouseEvent(.scroll(-9), at: Point(x: 1, y: 1), modifiers: .shift)))
  #expect(try f.shown.lines[1] == "fig")
  f.shown.scene.send(.mouse(MouseEvent(.scrollSideways(9), at: Point(x: 1, y: 1))))
  #expect(try f.shown.lines[0] == "‹  │   Price")
}

@Test func `a list controller is sorted in place of the table, which shows its order`() throws {
  let stock = ObservableList([Fruit("fig", 3), Fruit("apple", 12.5), Fruit("pear", 3)])
  let controller = ListController(stock)
  let f = try Fixture(items: .object(controller.arrangedObjects))
  f.shown.click(2, 0)
  #expect(controller["sort"] == "name")
  #expect(try f.names == ["apple", "fig", "pear"])
  try controller.set("sort", "-price")
  #expect(f.table[.sort] == "-price")
  #expect(try f.names == ["apple", "fig", "pear"])
  #expect(try f.shown.lines[0].hasSuffix("▼"))
  f.table[.sort] = nil
  #expect(controller["sort"] == .null)
  #expect(try f.names == ["fig", "apple", "pear"])
}

@Test func `mistakes in columns are told, with the nearest name`() throws {
  let column = DataObject(
    shape: Shape(name: "column", properties: [PropertyDescription("widht", .integer)]))
  #expect(throws: TideError.self) { try TableColumn(.object(column)) }
  do {
    _ = try TableColumn(.object(column))
  } catch let error as TideError {
    #expect(error.message.contains("did you mean \"width\""))
  }
  #expect(throws: TideError.self) { try TableColumn(.integer(5)) }
  #expect(throws: TideError.self) { try TableColumn("x", path: "a..b |") }
  let f = try Fixture()
  var errors: [TideError] = []
  f.shown.scene.onError = { errors.append($0) }
  f.table[.sort] = "prise"
  #expect(errors.count == 1)
  #expect(errors.first?.message.contains("did you mean \"price\"") == true)
  #expect(try f.names == ["fig", "apple", "pear"])
}

@Test func `a new version of a table keeps widths and order`() throws {
  let f = try Fixture()
  f.table[.sort] = "-price"
  f.table.focus()
  try f.shown.press("Right > >")
  let lines = try f.shown.lines
  let table = TableView(viewClass: .table)
  table.columns = f.table.columns
  table[.items] = .object(f.stock.values)
  try f.shown.scene.reconcile(with: table)
  #expect(try f.shown.lines == lines)
}

@Test func `a table is shown in any size`() throws {
  let f = try Fixture()
  f.table.focus()
  for size in [(0, 0), (1, 1), (2, 1), (1, 5), (3, 3), (20, 5), (300, 100)] {
    f.shown.scene.resize(Size(width: size.0, height: size.1))
    try f.shown.press("Right Left Space < > End Home")
    #expect(try f.shown.lines.allSatisfy { CharacterWidth.of($0) <= size.0 })
    f.shown.click(0, 0)
  }
}

@Test func `random edits of a sorted table show what sorting gives`() throws {
  for seed in UInt64(1)...30 {
    var random = SeededGenerator(seed: seed)
    let f = try Fixture(22, 40)
    var made = 0
    for step in 0..<60 {
      let count = f.stock.elements.count
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        made += 1
        let fruit = Fruit("f\(made)", Double(Int.random(in: 0...5, using: &random)))
        try f.stock.insert(fruit, at: Int.random(in: 0...count, using: &random))
      case 2 where count > 0: _ = try f.stock.remove(at: Int.random(in: 0..<count, using: &random))
      case 3:
        f.table[.sort] =
          ["name", "-name", "price", "-price", nil].randomElement(using: &random) ?? nil
      case 4: f.table[.selectedIndex] = Int.random(in: -1..<count, using: &random)
      default:
        f.stock.elements.randomElement(using: &random)?.price = Double(
          Int.random(in: 0...5, using: &random))
      }
      var expected = f.stock.elements
      let sort = f.table[.sort]
      let descending = sort?.hasPrefix("-") == true
      if sort?.hasSuffix("name") == true {
        expected.sort { descending ? $0.name > $1.name : $0.name < $1.name }
      } else if sort != nil {
        expected.sort { descending ? $0.price > $1.price : $0.price < $1.price }
      }
      #expect(try f.names == Array(expected.map(\.name).prefix(39)), "seed \(seed), step \(step)")
      if let index = f.table[.selectedIndex] {
        #expect(
          f.table[.selectedObject] == .object(expected[index]), "seed \(seed), step \(step)")
      }
    }
  }
}
