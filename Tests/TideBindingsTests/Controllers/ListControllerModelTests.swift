import Fuzzing
import Testing
import TideGraph

@testable import TideBindings

/// Random operations, against a model that is written as plainly as can be.
@Suite struct ListControllerModelTests {
  final class Row: DataObject {
    @Property var key = 0
    convenience init(_ key: Int) {
      self.init()
      self.key = key
    }
  }

  /// What a controller is to show and to have selected: computed anew after each operation.
  struct Model {
    var content: [Row] = []
    var limit: Int?
    var isSorted = false
    var avoidsEmpty = true
    var preserves = true
    var selected: Set<ObjectIdentifier> = []
    var isEmptyOnPurpose = false

    var arranged: [Row] {
      let shown = content.filter { row in limit.map { row.key < $0 } ?? true }
      guard isSorted else { return shown }
      return shown.enumerated().sorted { ($0.element.key, $0.offset) < ($1.element.key, $1.offset) }
        .map(\.element)
    }

    var indexes: [Int] {
      arranged.indices.filter { selected.contains(ObjectIdentifier(arranged[$0])) }
    }

    mutating func select(_ indexes: [Int]) {
      let rows = arranged
      let inside = indexes.filter { $0 >= 0 && $0 < rows.count }
      var found = Set(inside.map { ObjectIdentifier(rows[$0]) })
      if found.isEmpty, avoidsEmpty, let wanted = indexes.first, !rows.isEmpty {
        found = [ObjectIdentifier(wanted < 0 ? rows[0] : rows[rows.count - 1])]
      }
      selected = found
      isEmptyOnPurpose = found.isEmpty
    }

    /// Does something to the rows, and lets the selection follow.
    mutating func edit(_ body: (inout Model) -> Void) {
      let before = arranged
      let first = before.firstIndex { selected.contains(ObjectIdentifier($0)) }
      body(&self)
      let rows = arranged
      selected = selected.intersection(rows.map { ObjectIdentifier($0) })
      guard selected.isEmpty, avoidsEmpty, !isEmptyOnPurpose, !rows.isEmpty else { return }
      // With one row gone, the one that has its index now.
      selected = [ObjectIdentifier(rows[min(first ?? 0, rows.count - 1)])]
    }

    mutating func rearrange(_ body: (inout Model) -> Void) {
      let before = arranged.map { ObjectIdentifier($0) }
      body(&self)
      let rows = arranged
      if before == rows.map({ ObjectIdentifier($0) }) && preserves { return }
      selected = preserves ? selected.intersection(rows.map { ObjectIdentifier($0) }) : []
      guard selected.isEmpty, avoidsEmpty, !isEmptyOnPurpose, let row = rows.first else { return }
      selected = [ObjectIdentifier(row)]
    }
  }

  @Test(arguments: 0..<8)
  func `the selection is what a plain model of it says`(run: Int) throws {
    var random = SeededGenerator("list controller \(run)")
    let list = ObservableList<Row>()
    let controller = ListController(list)
    var model = Model()
    let context = BindingContext()
    var mirror: [Value] = []
    context.observe(controller.arrangedObjects, initial: true) { try $0.apply(to: &mirror) }
    // One that is looked at all the time, and one that is only when it is checked.
    if run % 2 == 0 { try context.observe(controller, "selectionIndex") { _, _ in } }
    for _ in 0..<400 {
      try step(controller, list, &model, &random)
      #expect(controller.arrangedObjects.values == model.arranged.map { $0.makeValue() })
      #expect(mirror == controller.arrangedObjects.values)
      #expect(controller.selectionIndexes == model.indexes)
      #expect(controller.rows.rows.brokenInvariant == nil)
      let selected = model.indexes.map { model.arranged[$0].makeValue() }
      #expect(controller.selectedObjects == selected)
      let keys = Set(model.indexes.map { model.arranged[$0].key })
      let expected: Value =
        keys.isEmpty
        ? Marker.noSelection.value
        : keys.count == 1 ? .integer(keys.first ?? 0) : Marker.multipleValues.value
      #expect(controller.selection["key"] == expected)
    }
  }

  private func step(
    _ controller: ListController, _ list: ObservableList<Row>, _ model: inout Model,
    _ random: inout SeededGenerator
  ) throws {
    let count = model.content.count
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2:
      let row = Row(Int.random(in: 0..<40, using: &random))
      let index = Int.random(in: 0...count, using: &random)
      model.edit { $0.content.insert(row, at: index) }
      try list.insert(row, at: index)
    case 3 where count > 0, 4 where count > 12:
      let index = Int.random(in: 0..<count, using: &random)
      model.edit { $0.content.remove(at: index) }
      try list.remove(at: index)
    case 5 where count > 0:
      let from = Int.random(in: 0..<count, using: &random)
      let to = Int.random(in: 0..<count, using: &random)
      model.edit { $0.content.insert($0.content.remove(at: from), at: to) }
      try list.move(from: from, to: to)
    case 6:
      let limit = Bool.random(using: &random) ? Int.random(in: 0..<40, using: &random) : nil
      if limit == nil && model.limit == nil { return }
      model.rearrange { $0.limit = limit }
      controller.filter = limit.map { limit in
        { row in Row.make(from: row).map { $0.key < limit } ?? false }
      }
    case 7:
      let isSorted = !model.isSorted
      model.rearrange { $0.isSorted = isSorted }
      controller.sort = isSorted ? try .key("key") : nil
    case 8:
      let rows = model.arranged.count
      let wanted = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        Int.random(in: -1...rows, using: &random)
      }
      model.select(wanted)
      controller.selectionIndexes = wanted
    case 9 where count > 0:
      // A key that changes moves, shows or hides its row.
      let index = Int.random(in: 0..<count, using: &random)
      let key = Int.random(in: 0..<40, using: &random)
      let row = model.content[index]
      model.edit { _ in row.key = key }
    case 10: try addOrRemove(controller, &model, &random)
    case 11:
      model.avoidsEmpty.toggle()
      if model.avoidsEmpty { model.edit { _ in } }
      try controller.set("avoidsEmptySelection", .boolean(model.avoidsEmpty))
    default: break
    }
  }

  private func addOrRemove(
    _ controller: ListController, _ model: inout Model, _ random: inout SeededGenerator
  ) throws {
    if Bool.random(using: &random) {
      let row = Row(Int.random(in: 0..<40, using: &random))
      model.limit = nil
      model.content.append(row)
      model.selected = [ObjectIdentifier(row)]
      model.isEmptyOnPurpose = false
      try controller.add(row.makeValue())
    } else {
      let gone = model.selected
      model.edit { $0.content.removeAll { gone.contains(ObjectIdentifier($0)) } }
      try controller.removeSelection()
    }
  }
}
