import TideBindings
import TideGraph

extension RowsView {
  /// The titles of the columns; empty for rows without columns.
  package final var headings: [String] { (self as? TableView)?.columns.map(\.title) ?? [] }

  /// The indexes of the first selected rows.
  package final func selectedRows(atMost limit: Int) -> [Int] {
    followItems()
    return Array(selectedRows.runs.lazy.flatMap { $0 }.prefix(limit))
  }

  /// The number of rows.
  package final var rowCount: Int {
    followItems()
    return count
  }

  /// The texts of rows, visible or not: one text for each column, or for each view of the cell.
  package final func texts(of rows: some Sequence<Int>) -> [[String]] {
    var texts: [[String]] = []
    readRows { read in texts = rows.map(read) }
    return texts
  }

  /// Calls a function with a reader, which returns the texts of a row.
  ///
  /// The reader shows each row in one invisible cell, so that hidden rows need no cells.
  final func readRows(_ body: (_ read: (Int) -> [String]) -> Void) {
    followItems()
    var cell: CellView?
    defer { cell?.remove() }
    body { row in
      guard row >= 0, row < count else { return [] }
      let object = content?.row(row) ?? .null
      if let cell {
        cell.show(object, row: row, isSelected: false)
      } else {
        cell = readingCell(object, row)
      }
      return cell?.children.map(\.lineOfText) ?? []
    }
  }

  private func readingCell(_ object: Value, _ row: Int) -> CellView? {
    // Errors of a cell are listed when its row becomes visible.
    var errors: [any Error] = []
    guard let cell = try? makeRowCell(object, row, &errors) else { return nil }
    cell.show(object, row: row, isSelected: false)
    pool.isAdding = true
    defer { pool.isAdding = false }
    try? add(cell)
    return cell
  }
}

extension View {
  /// All texts of the view as one line, without those of secure fields.
  fileprivate var lineOfText: String {
    var parts: [String] = []
    var walk = TreeWalk(self)
    while let view = walk.next() {
      if view.flag(.hidden) {
        walk.skipSubviews(of: view)
      } else if let text = view.ownText, !text.isEmpty {
        parts.append(text)
      }
    }
    return parts.joined(separator: " ")
  }

  private var ownText: String? {
    switch self {
    case let label as LabelView: return label.shownText
    case is TextInputView:
      let isSecret = viewClass.index(of: .secure) != nil && flag(.secure)
      return isSecret ? nil : peek(.text, as: Value.self).text
    case is ToggleView: return flag(.isOn) ? "true" : "false"
    case let choice as ChoosingView:
      choice.followItems()
      return choice.selection.map { choice.title($0) }
    case is RangeView, is ProgressView: return peek(.value, as: Value.self).text
    case is ButtonView: return text(.title)
    default: return nil
    }
  }
}
