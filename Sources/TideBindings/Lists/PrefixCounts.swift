/// A sequence of counts with fast running totals (a Fenwick tree).
///
/// Changing a count, reading the total before an index, and finding the index at which a total is
/// reached each take time logarithmic in the number of counts.
struct PrefixCounts {
  private(set) var count = 0
  private(set) var total = 0
  /// Node i, from 1, holds the sum of the counts i - lowbit(i) ..< i.
  private var sums: [Int] = [0]
  /// The greatest power of two that is no more than `count`.
  private var top = 0

  init() {}

  init(_ counts: some Collection<Int>) {
    count = counts.count
    sums = [0] + counts
    total = counts.reduce(0, +)
    for index in sums.indices.dropFirst() {
      let parent = index + (index & -index)
      if parent < sums.count { sums[parent] += sums[index] }
    }
    top = count == 0 ? 0 : 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount)
  }

  mutating func add(_ amount: Int, at position: Int) {
    total += amount
    var index = position + 1
    while index <= count {
      sums[index] += amount
      index += index & -index
    }
  }

  /// The sum of the counts before a position.
  func total(before position: Int) -> Int {
    var index = position
    var sum = 0
    while index > 0 {
      sum += sums[index]
      index &= index - 1
    }
    return sum
  }

  /// The index of the count that contains a position of the running total, and the offset in that
  /// count. The position must be less than the total.
  func index(of position: Int) -> (index: Int, offset: Int) {
    var index = 0
    var rest = position
    var step = top
    while step > 0 {
      let next = index + step
      if next <= count, sums[next] <= rest {
        index = next
        rest -= sums[next]
      }
      step >>= 1
    }
    return (index, rest)
  }
}
