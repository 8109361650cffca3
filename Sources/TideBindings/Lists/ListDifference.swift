import TideGraph

/// The smallest edits that turn one list's contents into another's.
///
/// ```swift
/// ListDifference.changes(from: ["a", "b", "c"], to: ["a", "x", "c"])   // one replacement, at 2
/// ```
///
/// The common beginning and end are skipped. In between, Myers' algorithm finds a shortest edit if
/// the two differ by few elements; a maximum number of differences bounds its time and memory.
/// Beyond that, equal elements are paired by hash, and the longest subsequence of them in the same
/// order stays in place. An element that is removed at one position and inserted at another is a
/// move.
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

  /// The memory of a comparison in bytes, for each element.
  private static let weight = 96

  /// Two equal elements that stay: their positions in the old and the new list, from 0.
  typealias Pair = (old: Int, new: Int)
}
