import TideBindings
import TideGraph

/// The text typed to find a row, and the time of the last key.
struct RowSearch {
  var typed = ""
  var time = 0.0

  /// The pause in seconds after which typing starts a new search.
  static let pause = 1.0
  /// The maximum number of rows searched for one key, so that a long list does not delay the frame.
  static let limit = 100_000
}

/// The text that type-ahead matches for a row: a property of its object, or the value itself.
struct RowText {
  private var property: String?
  private var shape: ObjectIdentifier?
  private var index: Int?

  /// Finds the property that the first text of the given cells shows.
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

  /// The text of a row; nil if its object has none.
  mutating func of(_ value: Value) -> String? {
    guard case .object(let object as DataObject) = value else { return value.text }
    // Most rows are of one class, so the index of the property is cached.
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

  /// Selects the next row whose text begins with the typed text. Returns false if the key should go
  /// to other views.
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
    // The same letter again moves to the next row that begins with it.
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

  /// Searches from a row to the end, and then from the beginning.
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

  /// Whether a text begins with a lower-case prefix, ignoring case.
  private static func begins(_ text: String, _ typed: String) -> Bool {
    if let first = text.utf8.first, let wanted = typed.utf8.first, first < 0x80, wanted < 0x80,
      first | 0x20 != wanted | 0x20
    {
      return false
    }
    return text.prefix(typed.count).lowercased() == typed
  }

  /// Whether a script handles the key here or in a superview, which takes precedence.
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
