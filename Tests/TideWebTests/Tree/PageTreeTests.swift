import Fuzzing
import Testing
import TideBindings
import TideGraph
import TideViews

@testable import TideWeb

/// Sends what changes in a scene to a mirror.
final class MirrorRenderer: Renderer {
  let tree = PageTree()
  let mirror = PageMirror()
  private weak var scene: Scene?
  /// The last message.
  private(set) var sent = ""
  private var failure: (any Error)?

  var showsProperties: Bool { true }

  func mount(_ scene: Scene) {
    self.scene = scene
    do { try mirror.apply("[[\"tree\",[0,\"root\",{},[]]]]") } catch { failure = error }
  }

  func replace(_ pairs: [(old: View, new: View)]) { tree.replace(pairs) }

  func render(_ changes: Changes) throws {
    guard let scene else { return }
    var operations = PageOperations()
    tree.update(scene, changes.changedViews, isWhole: changes.isWhole, &operations)
    sent = operations.text(for: nil).text
    try mirror.apply("[\(sent)]")
  }

  func unmount() {}

  /// Everything but the numbers, as the operations have made it.
  var content: JSON? { mirror.root?.content }

  /// The same as a page gets that comes now.
  func freshContent(of scene: Scene) throws -> JSON? {
    let fresh = PageMirror()
    var wire = WireText()
    tree.writeWhole(for: nil, &wire)
    try fresh.apply("[\(wire.text)]")
    return fresh.root?.content
  }

  /// The same as a renderer sends that knows nothing yet.
  func newContent(of scene: Scene) throws -> JSON? {
    let tree = PageTree()
    var operations = PageOperations()
    tree.update(scene, [], isWhole: false, &operations)
    var whole = WireText()
    tree.writeWhole(for: nil, &whole)
    let fresh = PageMirror()
    try fresh.apply("[\(whole.text)]")
    return fresh.root?.content
  }
}

private func twoColumns() throws -> TableView {
  let table = TableView(viewClass: .table)
  table.columns = [try TableColumn("Name", path: "name"), try TableColumn("Again", path: "name")]
  return table
}

@Suite struct PageTreeTests {
  private final class Named: DataObject {
    @Property var name = ""

    init(_ name: String) {
      super.init()
      self.name = name
    }
  }

  private func shown(_ root: View) throws -> (Scene, MirrorRenderer) {
    let scene = try Scene(root: root, size: Size(width: 40, height: 20))
    let renderer = MirrorRenderer()
    try scene.mount(renderer)
    return (scene, renderer)
  }

  @Test func `pages are told of rows as high as their content, and of texts that wrap there`()
    throws
  {
    let table = try twoColumns()
    table[.items] = .object(ValueList((0..<9).map { .object(Named("some words of \($0)")) }))
    try table.set("rowHeight", "auto")
    let (scene, renderer) = try shown(table)
    func told(_ name: String, _ id: Int) -> JSON? { renderer.mirror.property(name, of: id) }
    let rows = try renderer.mirror.node("table")
    #expect(told("rowHeight", rows) == .string("auto"))
    let label = try renderer.mirror.node("label")
    #expect(told("wrap", label) == .boolean(true))
    table.rowsElsewhere = [5..<9]
    try scene.commit()
    #expect((0..<9).allSatisfy { renderer.mirror.row($0, of: rows) != nil })
    #expect(renderer.content == (try renderer.newContent(of: scene)))
    try table.set("rowHeight", 2)
    try scene.commit()
    #expect(told("rowHeight", rows) == .number(2))
    #expect(renderer.content == (try renderer.newContent(of: scene)))
  }

  @Test func `a changed label costs what changed`() throws {
    let labels = (0..<10_000).map { LabelView("label \($0)") }
    let (scene, renderer) = try shown(try ViewClass.column.make(labels))
    labels[9999].text = "exactly8"
    try scene.commit()
    #expect(renderer.sent.utf8.count + 2 + 4 <= 40, "\(renderer.sent)")
  }

  /// What is sent when a row comes into a full view of a thousand.
  private func insertion(into view: View) throws -> String {
    let names = ValueList((0..<1000).map { .object(Named("row \($0)")) })
    try view.set("items", .object(names))
    let (scene, renderer) = try shown(try ViewClass.column.make([view]))
    try names.insert(.object(Named("exactly8")), at: 3)
    try scene.commit()
    #expect(renderer.content == (try renderer.newContent(of: scene)))
    return renderer.sent
  }

  @Test func `an inserted row sends its own cell, and how far the others move`() throws {
    let sent = try insertion(into: ViewClass.list.make())
    #expect(sent.utf8.count <= 50, "\(sent)")
  }

  @Test func `a row that comes into a full table sends its texts, and no more`() throws {
    let sent = try insertion(into: twoColumns())
    #expect(sent.utf8.count <= 58, "\(sent)")
  }

  @Test func `a row that is to be in sight is told once, also where cells show it`() throws {
    let list = ViewClass.list.make()
    try list.set("items", .object(ValueList((0..<1000).map { .integer($0) })))
    let (scene, renderer) = try shown(try ViewClass.column.make([list]))
    let rows = try #require(list as? RowsView)
    #expect(rows.takeSoughtRow() == nil)
    for row in [300, 300, 2_000] {
      rows.scroll(toRow: row)
      #expect(scene.needsFrame)
      try scene.commit()
      #expect(rows.takeSoughtRow()?.row == min(row, 999))
      #expect(rows.takeSoughtRow() == nil)
    }
    try list.set("selectedIndex", .integer(41))
    try scene.commit()
    let sought = try #require(rows.takeSoughtRow())
    #expect(sought.row == 40 && sought.isSelection)
    #expect(renderer.content == (try renderer.newContent(of: scene)))
  }

  @Test func `a page shows how a row's style looks, also when the row is another one`() throws {
    let names = ValueList(["done", "late", "new"].map { .object(Named($0)) })
    let list = try #require(ViewClass.list.make() as? RowsView)
    try list.set("items", .object(names))
    list.rowStyle = { object, _ in
      guard case .object(let named as Named) = object else { return .null }
      return ["done": "muted", "late": "error"][named.name] ?? .null
    }
    let (scene, renderer) = try shown(try ViewClass.column.make([list]))
    let rows = try renderer.mirror.node("list")
    func colors() -> [JSON?] {
      (0..<3).map { row in
        renderer.mirror.row(row, of: rows).flatMap {
          renderer.mirror.property("textColor", of: $0)
        }
      }
    }
    #expect(colors() == [.string("muted"), .string("red"), nil])
    if case .object(let named as Named) = names[0] { named.name = "late" }
    try names.move(from: 2, to: 1)
    try scene.commit()
    #expect(colors() == [.string("red"), nil, .string("red")])
    #expect(renderer.content == (try renderer.newContent(of: scene)))
  }

  @Test func `columns of a page have the sizes of those of the table, beside their padding`() throws
  {
    let table = TableView(viewClass: .table)
    var columns = try ["free", "fixed", "least", "most", "part"].map {
      try TableColumn($0, path: "name")
    }
    columns[1].width = 9
    columns[2].minWidth = 12
    columns[3].maxWidth = 30
    columns[4].grow = 2
    table.columns = columns
    table[.items] = .object(ValueList([.object(Named("one"))]))
    let (_, renderer) = try shown(table)
    let told = renderer.mirror.property("columns", of: try renderer.mirror.node("table"))
    let widths = told?.items.map { $0["width"]?.text ?? "" }
    let padded = { (cells: Int) in "calc(\(cells)ch + var(--tide-pad))" }
    #expect(
      widths == [
        "", padded(9), "minmax(\(padded(12)),1.0fr)",
        "minmax(max(\(padded(6)),min(var(--tide-least),\(padded(30)))),\(padded(30)))",
        "minmax(max(\(padded(6)),var(--tide-least)),2.0fr)",
      ])
  }

  @Test func `a control in a table has the name of its column`() throws {
    let table = TableView(viewClass: .table)
    var columns = [try TableColumn("Name", path: "name"), try TableColumn("Ripe")]
    columns[1].makeCell = { _, _ in try ViewClass.row.make([ViewClass.checkbox.make()]) }
    table.columns = columns
    table[.items] = .object(ValueList([.object(Named("one"))]))
    let (_, renderer) = try shown(table)
    let box = try renderer.mirror.node("checkbox")
    #expect(renderer.mirror.property("column", of: box) == .string("Ripe"))
    let label = try renderer.mirror.node("label")
    #expect(renderer.mirror.property("column", of: label) == nil)
  }

  @Test func `a line of very many values keeps its least and its greatest ones`() throws {
    var values = (0..<50_000).map { Value.integer($0 % 100) }
    values[7] = .integer(-7)
    values[20_001] = .integer(250)
    let chart = ViewClass.chart.make()
    try chart.set("values", .object(ValueList(values)))
    let (_, renderer) = try shown(chart)
    let series = renderer.mirror.property("series", of: try renderer.mirror.node("chart"))
    let told = (series?[0]["values"]?.items ?? []).compactMap(\.integer)
    #expect(told.count < 10_000)
    #expect(told.min() == -7 && told.max() == 250 && told.last == 99)
  }

  @Test func `what listens later is told`() throws {
    let label = LabelView("one")
    let (scene, renderer) = try shown(try ViewClass.column.make([label]))
    let handlers = [try label.on(.click) { _, _ in }, try label.on(.hover) { _, _ in }]
    let key = label.onKey(Key(.enter)) { _, _ in true }
    try scene.commit()
    #expect(renderer.sent.contains("\"clicks\":true"))
    #expect(renderer.sent.contains("\"hovers\":true"))
    #expect(renderer.sent.contains("\"keys\":[\"Enter\"]"))
    for handler in handlers { handler.cancel() }
    key.cancel()
    try scene.commit()
    #expect(renderer.sent.contains("\"clicks\":null"))
    #expect(renderer.content == (try renderer.newContent(of: scene)))
  }

  @Test func `dialogs stand beside the window, and leave`() throws {
    let (scene, renderer) = try shown(LabelView("below"))
    let dialog = try ViewClass.dialog.make([LabelView("Sure?")])
    scene.present(dialog)
    try scene.commit()
    #expect(renderer.content?[2].items.count == 2)
    scene.dismiss(dialog)
    try scene.commit()
    #expect(renderer.content?[2].items.count == 1)
    #expect(renderer.content == (try renderer.newContent(of: scene)))
  }

  @Test func `views that take the place of others keep their numbers`() throws {
    func version(_ title: String, _ order: [String]) throws -> View {
      let list = ViewClass.list.make()
      try list.set("id", "list")
      try list.set("items", .object(ValueList(["a", "b", "c"])))
      let views = try order.map { name in
        let field = FieldView()
        try field.set("id", .string(name))
        return field
      }
      return try ViewClass.column.make([LabelView(title)] + views + [list])
    }
    func numbers(_ renderer: MirrorRenderer) -> [Int?] {
      let column = renderer.mirror.root?.children.first?.children.first
      return (column?.children ?? []).map { $0.id }
    }
    let (scene, renderer) = try shown(try version("one", ["x", "y"]))
    let before = numbers(renderer)
    try scene.reconcile(with: try version("two", ["x", "y", "new"]))
    try scene.commit()
    #expect(renderer.content == (try renderer.newContent(of: scene)))
    let after = numbers(renderer)
    #expect(Array(after.prefix(3)) == Array(before.prefix(3)))
    #expect(after.last == before.last)
    #expect(renderer.sent.contains("\"text\":\"two\""))
    try scene.reconcile(with: try version("three", ["y", "x"]))
    try scene.commit()
    #expect(renderer.content == (try renderer.newContent(of: scene)))
    #expect(Set(numbers(renderer)) == Set(before))
  }

  @Test func `trees of any depth are sent`() throws {
    var view: View = LabelView("deep")
    for _ in 0..<400 { view = try ViewClass.column.make([view]) }
    let (scene, renderer) = try shown(view)
    #expect(renderer.content == (try renderer.newContent(of: scene)))
  }

  @Test(arguments: 0..<20)
  func `after whatever happens pages have what one has that comes then`(seed: UInt64) throws {
    var world = try World(seed)
    for _ in 0..<60 {
      try world.step()
      try world.scene.commit()
      let content = world.renderer.content
      #expect(content == (try world.renderer.freshContent(of: world.scene)))
      #expect(content == (try world.renderer.newContent(of: world.scene)))
    }
  }

  /// A random tree with random edits.
  private struct World {
    private var random: SeededGenerator
    let root = ViewClass.column.make()
    private let items = ValueList([])
    private let objects = ValueList([])
    let scene: Scene
    let renderer = MirrorRenderer()
    private var views: [View]

    init(_ seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      views = [root]
      let list = ViewClass.list.make()
      try list.set("items", .object(items))
      try list.set("height", 6)
      try root.add(list)
      let table = try twoColumns()
      try table.set("items", .object(objects))
      try table.set("height", 6)
      try root.add(table)
      scene = try Scene(root: root, size: Size(width: 30, height: 16))
      try scene.mount(renderer)
    }

    private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func step() throws {
      for _ in 0...number(3) { try edit() }
    }

    private mutating func edit() throws {
      let view = views[number(views.count)]
      switch number(10) {
      case 0, 1: try addView(to: view)
      case 2: if view !== root { view.remove() }
      case 3:
        if let parent = view.superview, parent.takesSubviews {
          try? view.move(to: number(parent.subviews.count))
        }
      case 4: try view.set("hidden", .boolean(number(2) == 0))
      case 5: try view.set("tooltip", .string("tip \(number(5))"))
      case 6: try view.set("textColor", number(2) == 0 ? "red" : .null)
      case 7: if view is LabelView { try view.set("text", .string("text \(number(9))")) }
      case 8: try editItems()
      default: try editObjects()
      }
    }

    private mutating func addView(to view: View) throws {
      let new: View =
        switch number(5) {
        case 0: ViewClass.row.make()
        case 1: ButtonView("button")
        case 2: FieldView("field")
        case 3: ViewClass.box.make()
        default: LabelView("label")
        }
      views.append(new)
      if view.takesSubviews, !(view is RowsView) {
        try view.add(new, at: number(view.subviews.count + 1))
      }
    }

    private mutating func editItems() throws {
      let count = items.count
      switch number(4) {
      case 0 where count > 0: try items.remove(at: number(count))
      case 1 where count > 0:
        try items.replace(at: number(count), with: .string("new \(number(9))"))
      default: try items.insert(.string("item \(number(100))"), at: number(count + 1))
      }
    }

    private mutating func editObjects() throws {
      let count = objects.count
      let name = "name \(number(9))"
      switch number(5) {
      case 0 where count > 0: try objects.remove(at: number(count))
      case 1 where count > 0:
        if case .object(let named as Named) = objects[number(count)] { named.name = name }
      case 2 where count > 0: try objects.move(from: number(count), to: number(count))
      default: try objects.insert(.object(Named(name)), at: number(count + 1))
      }
    }
  }
}
