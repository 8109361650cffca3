import TideGraph

/// The selected rows of a list. The selection stays with its rows while rows are inserted, removed
/// and moved.
///
/// The list reports each edit while making it; `settle` determines the result of a whole wave. A
/// row that is removed and inserted again in one wave stays selected.
package final class RowSelection: FollowingWitness {
  private(set) var rows = RowSet()
  /// Whether the selection has changed since it was last settled.
  private(set) var isChanged = false
  /// Whether the selection is empty on purpose.
  private(set) var isEmptyOnPurpose = false
  /// Whether the selection is kept when all rows are rearranged.
  var preserves = true
  /// The rows inserted while insertions are gathered, to be selected; nil otherwise.
  private var inserted: RowSet?
  /// Selected objects that were removed in this wave, with their counts.
  private var lost: [ContentKey: Int] = [:]
  /// The position of the first selected row before this wave, adjusted to the current rows. If no
  /// selected row is left, the row at this position is selected.
  private var gap: Int?
  /// Whether the first selected row was moved in this wave, and may yet be removed.
  private var hasMoved = false
  /// The positions of the selected rows after all rows have been rearranged.
  private var carried = RowSet()

  // MARK: Following

  func note(_ edit: ValueList.Edit, _ old: [Value]) {
    if lost.isEmpty && !hasMoved { gap = rows.first }
    switch edit {
    case .insert(let values, let position): rowsInserted(values, at: position)
    case .remove(let range): rowsRemoved(range, old)
    case .replace(_, let position): rowReplaced(position)
    case .move(let from, let to): rowMoved(from, to)
    case .change(let change): note(change)
    }
  }

  private func note(_ change: ListChange) {
    let edits = zip(change.indexes, change.objects)
    switch change.kind {
    case .insertion: for (index, object) in edits { rowsInserted([object], at: index) }
    case .removal:
      for (index, object) in zip(change.indexes, change.objects).reversed() {
        rowsRemoved(index..<index + 1, [object])
      }
    case .replacement: for (index, _) in edits { rowReplaced(index) }
    case .move: rowMoved(change.indexes[0], change.indexes[1])
    }
  }

  private func rowsInserted(_ values: [Value], at position: Int) {
    inserted?.openGap(at: position, count: values.count)
    inserted?.insert(position..<position + values.count)
    // A row inserted at the gap itself becomes the next one, so the gap stays.
    if let position = gap, position < position { gap = position + values.count }
    if let last = rows.last, position <= last {
      rows.openGap(at: position, count: values.count)
      isChanged = true
    }
    if lost.isEmpty { return }
    for (offset, value) in values.enumerated() {
      let key = ContentKey(value)
      guard let times = lost[key] else { continue }
      lost[key] = times > 1 ? times - 1 : nil
      rows.insert(position + offset..<position + offset + 1)
    }
  }

  private func rowsRemoved(_ range: Range<Int>, _ old: [Value]) {
    inserted?.closeGap(range)
    if let position = gap, range.lowerBound < position {
      gap = max(range.lowerBound, position - range.count)
    }
    guard let last = rows.last, range.lowerBound <= last else { return }
    isChanged = true
    if rows.intersects(range) {
      for (row, value) in zip(range, old) where rows.contains(row) {
        lost[ContentKey(value), default: 0] += 1
      }
    }
    rows.closeGap(range)
  }

  private func rowReplaced(_ position: Int) {
    if rows.contains(position) { isChanged = true }
  }

  private func rowMoved(_ from: Int, _ to: Int) {
    inserted?.move(from: from, to: to)
    if rows.first == from { hasMoved = true }
    if let position = gap {
      let rest = from < position ? position - 1 : position
      gap = to < rest ? rest + 1 : rest
    }
    guard let last = rows.last, min(from, to) <= last else { return }
    rows.move(from: from, to: to)
    isChanged = true
  }

  func willRearrange(_ old: [Value], to new: [Value]) throws(WorkError) {
    carried = RowSet()
    if preserves { carried = try Self.rows(of: rows.rows.map { old[$0] }, in: new) }
    // This includes rows that were removed earlier in the same wave.
    lost = [:]
    gap = nil
    hasMoved = false
    rows = RowSet()
    isChanged = true
  }

  func didRearrange() {
    rows = carried
    carried = RowSet()
  }

  /// The positions of objects in a list. An object given several times is found as often, at its
  /// first positions.
  package static func rows(of objects: [Value], in all: [Value]) throws(WorkError) -> RowSet {
    if objects.isEmpty { return RowSet() }
    if objects.count == 1 {
      return all.firstIndex(of: objects[0]).map { RowSet($0..<$0 + 1) } ?? RowSet()
    }
    var clock = WorkClock()
    var wanted: [ContentKey: Int] = [:]
    for object in objects {
      try clock.step()
      wanted[ContentKey(object), default: 0] += 1
    }
    var rows = RowSet()
    for (row, value) in all.enumerated() {
      try clock.step()
      let key = ContentKey(value)
      guard let times = wanted[key] else { continue }
      wanted[key] = times > 1 ? times - 1 : nil
      rows.insert(row..<row + 1)
      if wanted.isEmpty { break }
    }
    return rows
  }

  /// Completes a wave. Returns whether the selection has changed.
  func settle(rowCount: Int, avoidsEmpty: Bool) -> Bool {
    if rows.isEmpty, avoidsEmpty, !isEmptyOnPurpose, rowCount > 0 {
      let row = min(gap ?? 0, rowCount - 1)
      rows = RowSet(row..<row + 1)
      isChanged = true
    }
    lost = [:]
    gap = nil
    hasMoved = false
    defer { isChanged = false }
    return isChanged
  }

  // MARK: Selecting

  /// Selects existing rows. An empty selection stays empty, even with `avoidsEmptySelection`.
  func select(_ wanted: RowSet) {
    rows = wanted
    isEmptyOnPurpose = wanted.isEmpty
    lost = [:]
    gap = nil
    hasMoved = false
    isChanged = true
  }

  /// Called for new content: an empty selection no longer counts as on purpose.
  func forgetPurpose() { isEmptyOnPurpose = false }

  /// Gathers the rows that are inserted while a function runs.
  func gatheringInsertions(_ body: () throws -> Void) rethrows -> RowSet {
    inserted = RowSet()
    defer { inserted = nil }
    try body()
    return inserted ?? RowSet()
  }
}
