/// Places of rows, from 0, kept as runs: `[0..<3, 7..<8]`.
///
/// All rows of a long list are one run. What is done to the list is done to the set, at the cost of
/// the number of runs.
struct RowSet: Equatable {
  /// Ascending, none empty, none touching the next.
  private(set) var runs: [Range<Int>] = []
  private(set) var count = 0

  init() {}

  init(_ run: Range<Int>) { insert(run) }

  init(_ rows: some Sequence<Int>) {
    for row in rows.sorted() { insert(row..<row + 1) }
  }

  /// The rows at positions that count from 1; those that a list of so many rows does not have are
  /// left out.
  init(_ positions: [Int], among count: Int) {
    self.init(positions.lazy.filter { $0 >= 1 && $0 <= count }.map { $0 - 1 })
  }

  var isEmpty: Bool { runs.isEmpty }
  var first: Int? { runs.first?.lowerBound }
  var last: Int? { runs.last.map { $0.upperBound - 1 } }
  /// All rows, ascending.
  var rows: [Int] { runs.flatMap { Array($0) } }

  func contains(_ row: Int) -> Bool {
    let index = firstRun(endingAfter: row)
    return index < runs.count && runs[index].contains(row)
  }

  func intersects(_ range: Range<Int>) -> Bool {
    let index = firstRun(endingAfter: range.lowerBound)
    return index < runs.count && runs[index].overlaps(range)
  }

  /// The first run that reaches beyond a row.
  private func firstRun(endingAfter row: Int) -> Int {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].upperBound <= row { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Changing the set

  mutating func insert(_ range: Range<Int>) {
    if range.isEmpty { return }
    // Runs that overlap or touch it become one with it.
    let start = firstRun(endingAfter: range.lowerBound - 1)
    var end = start
    var (lower, upper) = (range.lowerBound, range.upperBound)
    var swallowed = 0
    while end < runs.count, runs[end].lowerBound <= upper {
      lower = min(lower, runs[end].lowerBound)
      upper = max(upper, runs[end].upperBound)
      swallowed += runs[end].count
      end += 1
    }
    runs.replaceSubrange(start..<end, with: CollectionOfOne(lower..<upper))
    count += upper - lower - swallowed
  }

  mutating func remove(_ range: Range<Int>) {
    if range.isEmpty { return }
    let start = firstRun(endingAfter: range.lowerBound)
    var end = start
    var rest: [Range<Int>] = []
    while end < runs.count, runs[end].lowerBound < range.upperBound {
      let run = runs[end]
      if run.lowerBound < range.lowerBound { rest.append(run.lowerBound..<range.lowerBound) }
      if run.upperBound > range.upperBound { rest.append(range.upperBound..<run.upperBound) }
      count -= run.clamped(to: range).count
      end += 1
    }
    runs.replaceSubrange(start..<end, with: rest)
  }

  mutating func formUnion(_ other: RowSet) { for run in other.runs { insert(run) } }
  mutating func subtract(_ other: RowSet) { for run in other.runs { remove(run) } }

  /// Cuts off what a list of so many rows does not have.
  mutating func clip(to rowCount: Int) {
    if let first, first < 0 { remove(first..<0) }
    if let last, last >= rowCount { remove(rowCount..<last + 1) }
  }

  // MARK: Following a list

  /// Rows were inserted, which are not in the set.
  mutating func openGap(at row: Int, count: Int) {
    if count == 0 { return }
    let start = firstRun(endingAfter: row)
    guard start < runs.count else { return }
    var index = start
    if runs[start].lowerBound < row {
      let run = runs[start]
      runs[start] = run.lowerBound..<row
      runs.insert(row..<run.upperBound, at: start + 1)
      index += 1
    }
    for place in index..<runs.count { runs[place] = runs[place].moved(by: count) }
  }

  /// Rows were removed, and leave the set.
  mutating func closeGap(_ range: Range<Int>) {
    remove(range)
    let start = firstRun(endingAfter: range.lowerBound)
    guard start < runs.count else { return }
    for place in start..<runs.count { runs[place] = runs[place].moved(by: -range.count) }
    if start > 0, runs[start - 1].upperBound == runs[start].lowerBound {
      runs[start - 1] = runs[start - 1].lowerBound..<runs[start].upperBound
      runs.remove(at: start)
    }
  }

  /// A row was taken out and put in elsewhere.
  mutating func move(from: Int, to: Int) {
    let isMember = contains(from)
    closeGap(from..<from + 1)
    openGap(at: to, count: 1)
    if isMember { insert(to..<to + 1) }
  }
}

extension Range<Int> {
  fileprivate func moved(by distance: Int) -> Range<Int> {
    lowerBound + distance..<upperBound + distance
  }
}

extension RowSet {
  /// What is wrong with the structure, or nil; tests ask after every operation.
  var brokenInvariant: String? {
    for (run, next) in zip(runs, runs.dropFirst()) where run.upperBound >= next.lowerBound {
      return "\(run) and \(next) are not apart"
    }
    if runs.contains(where: \.isEmpty) { return "a run is empty" }
    let sum = runs.reduce(0) { $0 + $1.count }
    return sum == count ? nil : "there are \(sum) rows, not \(count)"
  }
}
