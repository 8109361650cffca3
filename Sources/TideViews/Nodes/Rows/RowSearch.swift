import TideBindings
import TideGraph

/// What was typed to find a row, and when.
struct RowSearch {
  var typed = ""
  var time = 0.0

  /// Seconds after which a letter begins anew.
  static let pause = 1.0
  /// How many rows are looked through for one key, so that a long list does not hold up the frame.
  static let limit = 100_000
}

/// The text by which an object's row is found: a property's, or its own.
struct RowText {
  private var property: String?
  private var shape: ObjectIdentifier?
  private var index: Int?

  /// Looks in cells for the property that their first text shows.
  init(_ cells: [CellView]) {
    for cell in cells {
      guard case .object(let object as DataObject) = cell.shownObject,
        let shown = Self.firstText(in: cell), !shown.isEmpty
      else { continue }
      property =
        object.shape.properties.first { property in
          guard property.derive == nil else { return false }
          return object.slot(named: property.name)?.load().text == shown
        }?.name
      if property != nil { return }
    }
  }

  private static func firstText(in cell: CellView) -> String? {
    for view in TreeWalk(cell) where view.viewClass.index(of: .text) != nil {
      return view.peek(.text, as: Value.self).text
    }
    return nil
  }

  /// The text of a row; nil for an object that has none.
  mutating func of(_ value: Value) -> String? {
    guard case .object(let object as DataObject) = value else { return value.text }
    // Rows are mostly of one class, so the index of the property is looked up once.
    let known = ObjectIdentifier(object.shape)
    if known != shape {
      shape = known
      let names = (property.map { [$0] } ?? []) + RowTitle.names
      index = names.lazy.compactMap { object.shape.index(of: $0) }.first
    }
    guard let index else { return nil }
    let slot = object.slot(index)
    try? object.graph.refresh(slot)
    return slot.load().text
  }
}

extension RowsView {
  final func endSearch() { search.typed = "" }

  /// Goes to the next row whose text begins with what is typed; false, so that others get the key,
  /// when there is none.
  final func find(_ key: Key) -> Bool {
    guard let character = key.text, scene?.focused === self || pool.focused == nil else {
      endSearch()
      return false
    }
    let now = BindingTable.of(graph).clock?.now()
    if let now, now - search.time > RowSearch.pause { endSearch() }
    let isFirst = search.typed.isEmpty
    if isFirst && !(character.isLetter || character.isNumber) { return false }
    if isTakenAbove(key) { return false }
    let typed = search.typed + String(character).lowercased()
    // A letter typed again goes on to the next row that begins with it.
    let isRepeated = typed.count > 1 && Set(typed).count == 1
    let found =
      firstRow(with: typed, after: isFirst ? selection : selection.map { $0 - 1 })
      ?? (isRepeated ? firstRow(with: String(typed.prefix(1)), after: selection) : nil)
    guard let found else { return !isFirst }
    search.typed = typed
    search.time = now ?? 0
    choose(found, key)
    return true
  }

  /// Looks from a row on, and then from the first.
  private func firstRow(with typed: String, after row: Int?) -> Int? {
    var text = RowText(cells)
    let count = count
    let start = (row ?? -1) + 1
    return graph.untracked {
      for offset in 0..<min(count, RowSearch.limit) {
        let row = (start + offset) % count
        if let text = text.of(content?.row(row) ?? .null), Self.begins(text, typed) { return row }
      }
      return nil
    }
  }

  /// Whether a text begins with another one, which is in lower case.
  private static func begins(_ text: String, _ typed: String) -> Bool {
    if let first = text.utf8.first, let wanted = typed.utf8.first, first < 0x80, wanted < 0x80,
      first | 0x20 != wanted | 0x20
    {
      return false
    }
    return text.prefix(typed.count).lowercased() == typed
  }

  /// Whether a script has given a letter a meaning, here or above: that goes first.
  private func isTakenAbove(_ key: Key) -> Bool {
    var view: View? = self
    while let current = view {
      if current.hasHandler(.key) || current.keyHandlers.contains(where: { $0.key == key }) {
        return true
      }
      view = current.parent
    }
    return false
  }
}
