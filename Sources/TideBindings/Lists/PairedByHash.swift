import TideGraph

/// Pairs equal elements of two lists by hash, first with first, and keeps the longest subsequence
/// of pairs that are in the same order in both. It takes n log n time for any lists.
enum PairedByHash {
  static func keptPairs(
    _ old: ArraySlice<Value>, _ new: ArraySlice<Value>
  ) throws(WorkError) -> [ListDifference.Pair] {
    var clock = WorkClock()
    var oldIndexes: [ContentKey: [Int]] = [:]
    oldIndexes.reserveCapacity(old.count)
    for index in old.indices.reversed() {
      try clock.step()
      oldIndexes[ContentKey(old[index]), default: []].append(index)
    }
    var pairs: [ListDifference.Pair] = []
    for index in new.indices {
      try clock.step()
      if let oldIndex = oldIndexes[ContentKey(new[index])]?.popLast() {
        pairs.append((oldIndex, index))
      }
    }
    return try longestIncreasing(pairs)
  }

  /// Patience sorting: for each length, the subsequence that ends earliest in the old list.
  private static func longestIncreasing(
    _ pairs: [ListDifference.Pair]
  ) throws(WorkError) -> [ListDifference.Pair] {
    var clock = WorkClock()
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: pairs.count)
    for (index, pair) in pairs.enumerated() {
      try clock.step()
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if pairs[ends[middle]].old < pair.old { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = ends[low - 1] }
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var kept: [ListDifference.Pair] = []
    var index = ends.last ?? -1
    while index >= 0 {
      kept.append(pairs[index])
      index = previous[index]
    }
    return kept.reversed()
  }
}

/// A value as a hashable key, equal where `Value` is equal.
package struct ContentKey: Hashable {
  package let value: Value

  package init(_ value: Value) { self.value = value }

  package func hash(into hasher: inout Hasher) {
    switch value {
    case .null: hasher.combine(0)
    case .boolean(let flag): hasher.combine(flag)
    // An integer equals a float of the same value.
    case .integer(let integer): hasher.combine(Double(integer))
    case .number(let number): hasher.combine(number.isNaN ? 0 : number)
    case .string(let text): hasher.combine(text)
    case .bytes(let bytes): hasher.combine(bytes)
    case .object(let object): hasher.combine(ObjectIdentifier(object))
    }
  }
}
