import TideGraph

/// Eugene Myers' greedy algorithm ("An O(ND) Difference Algorithm and Its Variations", 1986).
///
/// The furthest point that D differences reach is stored for each diagonal and each D, so that the
/// path can be traced back. This takes D² memory, so D is limited.
enum ShortestEdit {
  /// The maximum number of insertions and removals. The trace then takes 128 KiB.
  static let limit = 256

  /// The pairs of elements that a shortest edit keeps; nil if the lists differ by more than the
  /// limit.
  static func keptPairs(
    _ old: ArraySlice<Value>, _ new: ArraySlice<Value>
  ) throws(WorkError) -> [ListDifference.Pair]? {
    if abs(old.count - new.count) > limit { return nil }
    var trace: [[Int32]] = []
    var reach = [Int32](repeating: 0, count: 2 * limit + 3)
    let center = limit + 1
    for distance in 0...limit {
      try WorkBudget.checkTime()
      trace.append(Array(reach[(center - distance)...(center + distance)]))
      for diagonal in stride(from: -distance, through: distance, by: 2) {
        // A diagonal that leaves the table leads nowhere.
        if diagonal > old.count || -diagonal > new.count { continue }
        let goesDown =
          diagonal == -distance
          || (diagonal != distance
            && reach[center + diagonal - 1] < reach[center + diagonal + 1])
        var x = goesDown ? reach[center + diagonal + 1] : reach[center + diagonal - 1] + 1
        var i = Int(x)
        var j = i - diagonal
        while i < old.count, j < new.count, j >= 0,
          old[old.startIndex + i] == new[new.startIndex + j]
        {
          i += 1
          j += 1
        }
        x = Int32(i)
        reach[center + diagonal] = x
        if i >= old.count, j >= new.count {
          return walkBack(trace, from: (i, j), old.startIndex, new.startIndex)
        }
      }
    }
    return nil
  }

  private static func walkBack(
    _ trace: [[Int32]], from end: (Int, Int), _ oldStart: Int, _ newStart: Int
  ) -> [ListDifference.Pair] {
    var pairs: [ListDifference.Pair] = []
    var (x, y) = end
    for distance in stride(from: trace.count - 1, through: 1, by: -1) {
      let reach = trace[distance]
      let diagonal = x - y
      let at = { (wanted: Int) in Int(reach[distance + wanted]) }
      let goesDown =
        diagonal == -distance || (diagonal != distance && at(diagonal - 1) < at(diagonal + 1))
      let before = goesDown ? diagonal + 1 : diagonal - 1
      let (beforeX, beforeY) = (at(before), at(before) - before)
      let turnX = goesDown ? beforeX : beforeX + 1
      while x > turnX {
        x -= 1
        y -= 1
        pairs.append((oldStart + x, newStart + y))
      }
      (x, y) = (beforeX, beforeY)
    }
    while x > 0, y > 0 {
      x -= 1
      y -= 1
      pairs.append((oldStart + x, newStart + y))
    }
    return pairs.reversed()
  }
}
