/// A set of row positions, stored as runs: `[0..<3, 7..<8]`.
///
/// All rows of a long list are one run. Edits of the list are applied to the set at a cost of the
/// square root of the number of runs: the runs lie in chunks, and the chunks after an edit are
/// shifted as a whole.
///
///     chunks   [ 0..<3, 7..<8 ] + 0   [ 0..<1, 5..<9 ] + 300   (the shift of a chunk's runs)
package struct RowSet: Equatable {
  private var chunks: [Chunk] = []
  package private(set) var count = 0

  private struct Chunk {
    /// Added to each of the runs.
    var shift = 0
    /// Ascending, not empty, and not adjacent.
    var runs: ContiguousArray<Range<Int>>

    var end: Int { runs[runs.count - 1].upperBound + shift }
  }

  /// The position of a run. The end position lies in a chunk past the last one.
  private struct RunPosition: Equatable {
    var chunk: Int
    var index: Int
  }

  private static let capacity = 256

  package init() {}

  package init(_ run: Range<Int>) { insert(run) }

  package init(_ rows: some Sequence<Int>) {
    for row in rows.sorted() { insert(row..<row + 1) }
  }

  /// Makes a set of the positions that exist in a list of `count` rows.
  package init(_ positions: [Int], among count: Int) {
    self.init(positions.lazy.filter { $0 >= 0 && $0 < count })
  }

  /// The runs: ascending, not empty, and not adjacent.
  package var runs: some BidirectionalCollection<Range<Int>> {
    chunks.lazy.flatMap { chunk in chunk.runs.lazy.map { $0.moved(by: chunk.shift) } }
  }

  package var isEmpty: Bool { chunks.isEmpty }
  var isOneRun: Bool { chunks.count == 1 && chunks[0].runs.count == 1 }
  package var first: Int? { chunks.first.map { $0.runs[0].lowerBound + $0.shift } }
  package var last: Int? { chunks.last.map { $0.end - 1 } }

  /// All rows, ascending.
  package var rows: [Int] {
    var rows: [Int] = []
    rows.reserveCapacity(count)
    for run in runs { rows += run }
    return rows
  }

  package static func == (left: RowSet, right: RowSet) -> Bool {
    left.count == right.count && left.runs.elementsEqual(right.runs)
  }

  package func contains(_ row: Int) -> Bool {
    run(at: firstRun(endingAfter: row))?.contains(row) ?? false
  }

  package func intersects(_ range: Range<Int>) -> Bool {
    run(at: firstRun(endingAfter: range.lowerBound))?.overlaps(range) ?? false
  }

  // MARK: Positions

  private func run(at position: RunPosition) -> Range<Int>? {
    guard position.chunk < chunks.count else { return nil }
    return chunks[position.chunk].runs[position.index].moved(by: chunks[position.chunk].shift)
  }

  private func position(after position: RunPosition) -> RunPosition {
    position.index + 1 < chunks[position.chunk].runs.count
      ? RunPosition(chunk: position.chunk, index: position.index + 1)
      : RunPosition(chunk: position.chunk + 1, index: 0)
  }

  private func position(before position: RunPosition) -> RunPosition? {
    if position.index > 0 { return RunPosition(chunk: position.chunk, index: position.index - 1) }
    if position.chunk == 0 { return nil }
    return RunPosition(chunk: position.chunk - 1, index: chunks[position.chunk - 1].runs.count - 1)
  }

  /// The first run that reaches beyond a row.
  private func firstRun(endingAfter row: Int) -> RunPosition {
    let chunk = Self.first(of: chunks.count) { chunks[$0].end > row }
    guard chunk < chunks.count else { return RunPosition(chunk: chunk, index: 0) }
    let (runs, wanted) = (chunks[chunk].runs, row - chunks[chunk].shift)
    return RunPosition(
      chunk: chunk, index: Self.first(of: runs.count) { runs[$0].upperBound > wanted })
  }

  /// Binary search: the first index for which a predicate holds that holds for all later indexes,
  /// too; `count` if there is none.
  private static func first(of count: Int, where holds: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  // MARK: Changing the set

  package mutating func insert(_ range: Range<Int>) {
    if range.isEmpty { return }
    // Runs that overlap or touch it become one with it.
    let start = firstRun(endingAfter: range.lowerBound - 1)
    var end = start
    var (lower, upper) = (range.lowerBound, range.upperBound)
    var swallowed = 0
    while let run = run(at: end), run.lowerBound <= upper {
      lower = min(lower, run.lowerBound)
      upper = max(upper, run.upperBound)
      swallowed += run.count
      end = position(after: end)
    }
    replace(start, end, by: lower..<upper)
    count += upper - lower - swallowed
  }

  package mutating func remove(_ range: Range<Int>) {
    if range.isEmpty { return }
    let start = firstRun(endingAfter: range.lowerBound)
    var end = start
    var (before, after): (Range<Int>?, Range<Int>?)
    while let run = run(at: end), run.lowerBound < range.upperBound {
      if run.lowerBound < range.lowerBound { before = run.lowerBound..<range.lowerBound }
      if run.upperBound > range.upperBound { after = range.upperBound..<run.upperBound }
      count -= run.clamped(to: range).count
      end = position(after: end)
    }
    if start != end { replace(start, end, by: before ?? after, before == nil ? nil : after) }
  }

  package mutating func formUnion(_ other: RowSet) { for run in other.runs { insert(run) } }
  package mutating func subtract(_ other: RowSet) { for run in other.runs { remove(run) } }

  /// Removes the positions that a list of `rowCount` rows does not have.
  package mutating func clip(to rowCount: Int) {
    if let first, first < 0 { remove(first..<0) }
    if let last, last >= rowCount { remove(rowCount..<last + 1) }
  }

  /// Replaces the runs between two positions by at most two runs.
  private mutating func replace(
    _ start: RunPosition, _ end: RunPosition, by first: Range<Int>?, _ second: Range<Int>? = nil
  ) {
    var chunk = start.chunk
    if chunk == chunks.count {
      // After the last run.
      if chunk == 0 { chunks.append(Chunk(runs: [])) } else { chunk -= 1 }
      for run in [first, second] {
        if let run { chunks[chunk].runs.append(run.moved(by: -chunks[chunk].shift)) }
      }
    } else {
      if end.chunk > chunk {
        if end.index > 0 { chunks[end.chunk].runs.removeSubrange(..<end.index) }
        chunks.removeSubrange(chunk + 1..<end.chunk)
      }
      let shift = chunks[chunk].shift
      let stop = end.chunk == chunk ? end.index : chunks[chunk].runs.count
      var runs: (Range<Int>?, Range<Int>?) = (
        first?.moved(by: -shift), second?.moved(by: -shift)
      )
      // In most cases the number of runs stays the same.
      var index = start.index
      while index < stop, let run = runs.0 {
        chunks[chunk].runs[index] = run
        runs = (runs.1, nil)
        index += 1
      }
      if index < stop { chunks[chunk].runs.removeSubrange(index..<stop) }
      while let run = runs.0 {
        chunks[chunk].runs.insert(run, at: index)
        runs = (runs.1, nil)
        index += 1
      }
    }
    balance(chunk)
  }

  /// Splits a chunk that is too long, and merges a short one with its neighbour.
  private mutating func balance(_ index: Int) {
    let count = chunks[index].runs.count
    if count > Self.capacity {
      // A set that grows at its end leaves nearly full chunks behind.
      let kept = index == chunks.count - 1 ? Self.capacity * 3 / 4 : count / 2
      let tail = Chunk(
        shift: chunks[index].shift, runs: ContiguousArray(chunks[index].runs[kept...]))
      chunks[index].runs.removeSubrange(kept...)
      chunks.insert(tail, at: index + 1)
    } else if count == 0 {
      chunks.remove(at: index)
    } else if count < Self.capacity / 4, chunks.count > 1 {
      let left = index > 0 ? index - 1 : index
      let together = chunks[left].runs.count + chunks[left + 1].runs.count
      if together > Self.capacity * 3 / 4 { return }
      let moved = chunks.remove(at: left + 1)
      let shift = moved.shift - chunks[left].shift
      chunks[left].runs.append(contentsOf: moved.runs.lazy.map { $0.moved(by: shift) })
    }
  }

  // MARK: Following a list

  /// Follows an insertion of rows, which are not in the set.
  package mutating func openGap(at row: Int, count: Int) {
    if count == 0 { return }
    var start = firstRun(endingAfter: row)
    guard let run = run(at: start) else { return }
    if run.lowerBound < row {
      replace(start, position(after: start), by: run.lowerBound..<row, row..<run.upperBound)
      start = firstRun(endingAfter: row)
    }
    shift(from: start, by: count)
  }

  /// Follows a removal of rows, which leave the set.
  package mutating func closeGap(_ range: Range<Int>) {
    remove(range)
    let start = firstRun(endingAfter: range.lowerBound)
    guard start.chunk < chunks.count else { return }
    shift(from: start, by: -range.count)
    guard let before = position(before: start), let left = run(at: before),
      let right = run(at: start), left.upperBound == right.lowerBound
    else { return }
    replace(before, position(after: start), by: left.lowerBound..<right.upperBound)
  }

  private mutating func shift(from start: RunPosition, by distance: Int) {
    var chunk = start.chunk
    if start.index > 0 {
      for index in start.index..<chunks[chunk].runs.count {
        chunks[chunk].runs[index] = chunks[chunk].runs[index].moved(by: distance)
      }
      chunk += 1
    }
    while chunk < chunks.count {
      chunks[chunk].shift += distance
      chunk += 1
    }
  }

  /// Follows a move of a row, which stays in the set if it was.
  package mutating func move(from: Int, to: Int) {
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
  /// Describes a broken invariant, or nil. Tests check it after every operation.
  package var brokenInvariant: String? {
    for (run, next) in zip(runs, runs.dropFirst()) where run.upperBound >= next.lowerBound {
      return "\(run) and \(next) are not apart"
    }
    if runs.contains(where: \.isEmpty) { return "a run is empty" }
    let lengths = chunks.map(\.runs.count)
    if lengths.contains(where: { $0 == 0 || $0 > Self.capacity }) { return "chunks of \(lengths)" }
    let sum = runs.reduce(0) { $0 + $1.count }
    return sum == count ? nil : "there are \(sum) rows, not \(count)"
  }
}
