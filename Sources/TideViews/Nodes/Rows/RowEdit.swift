import TideBindings

/// An edit of the rows in a view, in runs: inserting a million consecutive rows is one edit. Rows
/// count from 0.
enum RowEdit: Equatable {
  /// The new rows after the edit.
  case insertion(Range<Int>)
  /// The removed rows before the edit.
  case removal(Range<Int>)
  case replacement(Range<Int>)
  case move(from: Int, to: Int)

  /// Converts a list's change to edits that apply one after the other.
  static func edits(of change: ListChange) -> [RowEdit] {
    switch change.kind {
    case .insertion: return runs(change.indexes).map { .insertion($0) }
    case .removal: return runs(change.indexes).reversed().map { .removal($0) }
    case .replacement: return runs(change.indexes).map { .replacement($0) }
    case .move:
      guard change.indexes.count == 2 else { return [] }
      return [.move(from: change.indexes[0], to: change.indexes[1])]
    }
  }

  /// The elements removed by each removal among the edits of a change, in the same order.
  static func removals(of change: ListChange) -> [[Value]] {
    guard change.kind == .removal else { return [] }
    var end = change.objects.count
    return runs(change.indexes).reversed().map { run in
      defer { end -= run.count }
      return Array(change.objects[end - run.count..<end])
    }
  }

  /// Groups ascending indexes into runs.
  private static func runs(_ indexes: [Int]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for index in indexes {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs
  }

  /// The first row affected by the edit.
  var firstRow: Int {
    switch self {
    case .insertion(let range), .removal(let range), .replacement(let range): range.lowerBound
    case .move(let from, let to): min(from, to)
    }
  }

  /// The index of a row after the edit; nil if it was removed.
  func index(of row: Int) -> Int? {
    switch self {
    case .insertion(let range): return row < range.lowerBound ? row : row + range.count
    case .removal(let range):
      if range.contains(row) { return nil }
      return row < range.lowerBound ? row : row - range.count
    case .replacement: return row
    case .move(let from, let to):
      if row == from { return to }
      if from < row && row <= to { return row - 1 }
      if to <= row && row < from { return row + 1 }
      return row
    }
  }

  /// Like `index(of:)`; for a removed row, the index of the row after the removed range.
  func nearestIndex(of row: Int) -> Int {
    if case .removal(let range) = self, range.contains(row) { return range.lowerBound }
    return index(of: row) ?? row
  }
}
