import TideGraph

/// The lowest or highest value of rows that are added, removed and changed.
///
/// A heap with lazy removal: the entry of a removed row stays until it reaches the top. Adding a
/// row takes time logarithmic in the number of rows, removing one takes constant time.
struct ExtremeHeap {
  typealias Row = RowOrder.Row

  private struct Entry {
    var value: Value
    var row: Row
    var stamp: UInt32
  }

  /// Negative if the highest value is on top.
  private let direction: Int
  private var entries: [Entry] = []
  /// By row, the stamp of its valid entry; 0 for none.
  private var stamps: [UInt32] = []
  private var lastStamp: UInt32 = 0
  private var live = 0

  init(greatest: Bool) { direction = greatest ? -1 : 1 }

  mutating func put(_ value: Value, for row: Row) {
    remove(row)
    while stamps.count <= Int(row) { stamps.append(0) }
    lastStamp = lastStamp == .max ? restamp() : lastStamp + 1
    stamps[Int(row)] = lastStamp
    live += 1
    entries.append(Entry(value: value, row: row, stamp: lastStamp))
    siftUp(from: entries.count - 1)
    if entries.count > 2 * live + 64 { removeDead() }
  }

  mutating func remove(_ row: Row) {
    guard Int(row) < stamps.count, stamps[Int(row)] != 0 else { return }
    stamps[Int(row)] = 0
    live -= 1
  }

  /// The extreme value; nil if there are no rows.
  mutating func top() -> Value? {
    while let first = entries.first, stamps[Int(first.row)] != first.stamp { removeFirst() }
    return entries.first?.value
  }

  private mutating func removeDead() {
    entries.removeAll { stamps[Int($0.row)] != $0.stamp }
    for index in stride(from: entries.count / 2 - 1, through: 0, by: -1) { siftDown(from: index) }
  }

  /// Numbers the entries again when the stamps have run out. Returns the next stamp.
  private mutating func restamp() -> UInt32 {
    removeDead()
    for index in entries.indices {
      entries[index].stamp = UInt32(index + 1)
      stamps[Int(entries[index].row)] = UInt32(index + 1)
    }
    return UInt32(entries.count + 1)
  }

  private mutating func removeFirst() {
    let last = entries.removeLast()
    guard !entries.isEmpty else { return }
    entries[0] = last
    siftDown(from: 0)
  }

  /// An integer precedes an equal float, so that the result does not depend on the history.
  private func comes(_ a: Int, before b: Int) -> Bool {
    let difference = entries[a].value.compare(with: entries[b].value)
    if difference != 0 { return difference * direction < 0 }
    if case .integer = entries[a].value, case .number = entries[b].value { return true }
    return false
  }

  private mutating func siftUp(from index: Int) {
    var index = index
    while index > 0, comes(index, before: (index - 1) / 2) {
      entries.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown(from index: Int) {
    var index = index
    while true {
      var first = index
      for child in [2 * index + 1, 2 * index + 2] where child < entries.count {
        if comes(child, before: first) { first = child }
      }
      if first == index { return }
      entries.swapAt(index, first)
      index = first
    }
  }
}
