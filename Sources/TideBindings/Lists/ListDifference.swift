import TideGraph

/// The smallest edits that make one list's contents another's.
///
/// ```swift
/// ListDifference.changes(from: ["a", "b", "c"], to: ["a", "x", "c"])   // one replacement, at 2
/// ```
///
/// What both ends share is skipped; in between, Myers' algorithm finds a shortest edit while the
/// two differ by few elements, in time and memory that are bounded by a fixed number of
/// differences. Beyond that, equal elements are paired by hash and the longest run of them that
/// keeps its order stays in place. An element that is taken out in one position and put in at
/// another is a move.
enum ListDifference {
  /// The changes that turn one list into the other, to be applied in order.
  ///
  /// Throws when the running turn has no time or memory left to find them.
  static func changes(from old: [Value], to new: [Value]) throws(WorkError) -> [ListChange] {
    var start = 0
    let limit = min(old.count, new.count)
    while start < limit, old[start] == new[start] { start += 1 }
    var end = 0
    while end < limit - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    let oldMiddle = old[start..<old.count - end]
    let newMiddle = new[start..<new.count - end]
    if oldMiddle.isEmpty && newMiddle.isEmpty { return [] }
    if oldMiddle.isEmpty {
      return [ListChange(.insertion, Array(newMiddle.indices), Array(newMiddle))]
    }
    if newMiddle.isEmpty {
      return [ListChange(.removal, Array(oldMiddle.indices), Array(oldMiddle))]
    }
    try WorkBudget.admit(bytes: (oldMiddle.count + newMiddle.count) * weight)
    var kept = try ShortestEdit.keptPairs(oldMiddle, newMiddle)
    if kept == nil { kept = try PairedByHash.keptPairs(oldMiddle, newMiddle) }
    return try EditScript(oldMiddle, newMiddle, kept: kept ?? [], offset: start).changes()
  }

  /// The bytes that comparing takes for each element.
  private static let weight = 96

  /// Two equal elements that stay: their positions in the old and the new list, from 0.
  typealias Pair = (old: Int, new: Int)
}
