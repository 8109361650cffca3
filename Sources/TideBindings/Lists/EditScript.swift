import TideGraph

/// Derives the changes that a list reports from the elements that stay, in this order:
/// replacements, removals, moves, insertions.
struct EditScript {
  private let old: ArraySlice<Value>
  private let new: ArraySlice<Value>
  /// The number of elements that both lists share before the slices.
  private let offset: Int
  private var removed: [Int] = []
  private var inserted: [Int] = []
  private var replaced: [ListDifference.Pair] = []
  private var moved: [ListDifference.Pair] = []
  private var kept: [ListDifference.Pair]

  init(
    _ old: ArraySlice<Value>, _ new: ArraySlice<Value>, kept: [ListDifference.Pair], offset: Int
  ) throws(WorkError) {
    self.old = old
    self.new = new
    self.kept = kept
    self.offset = offset
    try findMoves()
    try WorkBudget.checkTime()
    findReplacements()
  }

  /// Each move is a separate change. More of them than this are reported as one removal and one
  /// insertion.
  private static let mostMoves = 10_000

  /// Pairs equal elements that do not stay.
  private mutating func findMoves() throws(WorkError) {
    var clock = WorkClock()
    var stays = [Bool](repeating: false, count: old.count)
    var leaving: [ContentKey: [Int]] = [:]
    var nextKept = kept.count - 1
    for index in old.indices.reversed() {
      try clock.step()
      if nextKept >= 0, kept[nextKept].old == index {
        stays[index - old.startIndex] = true
        nextKept -= 1
      } else {
        leaving[ContentKey(old[index]), default: []].append(index)
      }
    }
    nextKept = 0
    for index in new.indices {
      try clock.step()
      if nextKept < kept.count, kept[nextKept].new == index {
        nextKept += 1
      } else if let oldIndex = leaving[ContentKey(new[index])]?.popLast() {
        moved.append((oldIndex, index))
        stays[oldIndex - old.startIndex] = true
      } else {
        inserted.append(index)
      }
    }
    if moved.count > Self.mostMoves {
      for pair in moved { stays[pair.old - old.startIndex] = false }
      inserted = (inserted + moved.map(\.new)).sorted()
      moved = []
    }
    removed = old.indices.filter { !stays[$0 - old.startIndex] }
  }

  /// Pairs removed and inserted elements in the same gap between two elements that stay.
  private mutating func findReplacements() {
    var removedLeft: [Int] = []
    var insertedLeft: [Int] = []
    var nextRemoved = 0
    var nextInserted = 0
    for index in 0...kept.count {
      let oldEnd = index < kept.count ? kept[index].old : old.endIndex
      let newEnd = index < kept.count ? kept[index].new : new.endIndex
      while nextRemoved < removed.count, removed[nextRemoved] < oldEnd,
        nextInserted < inserted.count, inserted[nextInserted] < newEnd
      {
        replaced.append((removed[nextRemoved], inserted[nextInserted]))
        nextRemoved += 1
        nextInserted += 1
      }
      while nextRemoved < removed.count, removed[nextRemoved] < oldEnd {
        removedLeft.append(removed[nextRemoved])
        nextRemoved += 1
      }
      while nextInserted < inserted.count, inserted[nextInserted] < newEnd {
        insertedLeft.append(inserted[nextInserted])
        nextInserted += 1
      }
    }
    removed = removedLeft
    inserted = insertedLeft
    // A replaced element stays in place from now on.
    if !moved.isEmpty { kept = (kept + replaced).sorted { $0.old < $1.old } }
  }

  /// The changes that the list reports, in order.
  func changes() throws(WorkError) -> [ListChange] {
    var changes: [ListChange] = []
    if !replaced.isEmpty {
      changes.append(
        ListChange(
          .replacement, replaced.map(\.old), replaced.map { new[$0.new] },
          replaced: replaced.map { old[$0.old] }))
    }
    if !removed.isEmpty {
      changes.append(ListChange(.removal, removed, removed.map { old[$0] }))
    }
    changes += try moves()
    if !inserted.isEmpty {
      changes.append(ListChange(.insertion, inserted, inserted.map { new[$0] }))
    }
    return changes
  }

  /// Moves each element right after its predecessor in the new list.
  private func moves() throws(WorkError) -> [ListChange] {
    if moved.isEmpty { return [] }
    var clock = WorkClock()
    // Rows are numbered in the final order of the elements that are in both lists.
    let final = (kept + moved).sorted { $0.new < $1.new }
    let rowsInOldOrder = final.indices.sorted { final[$0].old < final[$1].old }
    var order = RowOrder(rowsInOldOrder.map { RowOrder.Row($0) })
    let isMoved = Set(moved.map(\.new))
    var changes: [ListChange] = []
    for (row, pair) in final.enumerated() where isMoved.contains(pair.new) {
      try clock.step()
      let from = order.position(of: RowOrder.Row(row))
      order.remove(at: from)
      let to = row == 0 ? 0 : order.position(of: RowOrder.Row(row - 1)) + 1
      order.insert(RowOrder.Row(row), at: to)
      if from == to { continue }
      changes.append(ListChange(.move, [from + offset, to + offset], [new[pair.new]]))
    }
    return changes
  }
}
