import TideGraph

/// Which rows of a list are selected: stays with them while rows come, go and move.
///
/// It is told of each edit while the list makes it; what a whole wave comes to is decided in
/// `settle`. A row that was taken out and put in again in one wave is still selected.
package final class RowSelection: FollowingWitness {
  private(set) var rows = RowSet()
  /// Something about the selection is different since it was settled last.
  private(set) var isChanged = false
  /// Somebody wants nothing to be selected.
  private(set) var isEmptyOnPurpose = false
  /// Keep what is selected when all rows are arranged anew.
  var preserves = true
  /// Rows that are put in are gathered here, to be selected.
  private var inserted: RowSet?
  /// Objects that were selected and taken out in this wave, and how often.
  private var lost: [ContentKey: Int] = [:]
  /// Where the first selected row was before this wave, in the rows as they are now: should none be
  /// left, what stands there is next.
  private var gap: Int?
  /// The first selected row was taken elsewhere, and may yet be taken out.
  private var hasMoved = false
  /// Where what is selected will stand when all rows have been arranged anew.
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
    // A row that takes the place of the one that went is the next one.
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
    // Those of rows that went before, in the same wave.
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

  /// Where some objects stand among others: as often as they are wanted, first ones first.
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

  /// Decides what the wave comes to; true when the selection is different from before.
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

  /// Selects rows that the list has. Nothing at all is kept, whatever `avoidsEmptySelection` says.
  func select(_ wanted: RowSet) {
    rows = wanted
    isEmptyOnPurpose = wanted.isEmpty
    lost = [:]
    gap = nil
    hasMoved = false
    isChanged = true
  }

  /// Something else is shown, of which nobody has said what is to be selected.
  func forgetPurpose() { isEmptyOnPurpose = false }

  /// Gathers the rows that are put in while the function runs.
  func gatheringInsertions(_ body: () throws -> Void) rethrows -> RowSet {
    inserted = RowSet()
    defer { inserted = nil }
    try body()
    return inserted ?? RowSet()
  }
}
