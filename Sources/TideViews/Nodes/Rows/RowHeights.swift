/// Measured heights of rows that are as high as their content.
///
/// ```swift
/// var heights = RowHeights(count: 100_000)
/// heights[7] = 3
/// heights.start(of: 8)   // 10: the other rows count as one cell, until more is known
/// heights.line(at: 9)    // 7
/// ```
///
/// It counts in lines: a line is a row, or the rows of a collection that stand side by side.
/// Heights and positions are in cells. A line that has not been measured counts with the average
/// height of the measured lines.
///
/// Lines are stored in chunks, and the sums of chunks in a Fenwick tree, so that the position of a
/// line and the line at a position are found in logarithmic time. A chunk of unmeasured lines needs
/// constant memory, however many lines it has:
///
///     chunks   5000 unknown │ 3 1 · · 2 … (128 lines) │ 94,872 unknown
struct RowHeights {
  private var chunks: [Chunk] = []
  /// Sums of chunks, as a Fenwick tree with indexes from 1.
  private var tree: [Sums] = []
  private var total = Sums()
  /// The average from before the last reset.
  private var formerAverage = 1.0

  /// A run of consecutive lines.
  private struct Chunk {
    var sums: Sums
    /// The height of each line, 0 if unmeasured; empty if no line of the chunk is measured.
    var heights: [Int32] = []

    static func unknown(_ count: Int) -> Chunk { Chunk(sums: Sums(lines: count, unknown: count)) }

    init(sums: Sums) { self.sums = sums }

    init(_ heights: ArraySlice<Int32>) {
      sums = Sums(lines: heights.count)
      for height in heights {
        if height == 0 { sums.unknown += 1 } else { sums.height += Int(height) }
      }
      if sums.unknown < sums.lines { self.heights = Array(heights) }
    }

    /// The height of each line, also for a chunk without measured lines.
    var lineHeights: [Int32] {
      heights.isEmpty ? Array(repeating: 0, count: sums.lines) : heights
    }

    func part(_ range: Range<Int>) -> Chunk {
      heights.isEmpty ? .unknown(range.count) : Chunk(heights[range])
    }
  }

  private struct Sums {
    var lines = 0
    var unknown = 0
    /// The total height of the measured lines.
    var height = 0

    static func += (sums: inout Sums, other: Sums) {
      sums.lines += other.lines
      sums.unknown += other.unknown
      sums.height += other.height
    }
  }

  /// The initial number of lines in a chunk with measured lines; it may grow to twice as many.
  private static let chunkSize = 128
  private static let mostHeight = 1 << 20

  /// Makes unmeasured lines.
  init(count: Int) { append(.unknown(count)) }

  var count: Int { total.lines }

  /// The height of all lines, measured or estimated.
  var height: Int { height(of: total) }

  /// The average height of the measured lines.
  private var average: Double {
    let known = total.lines - total.unknown
    return known == 0 ? formerAverage : Double(total.height) / Double(known)
  }

  /// The memory in bytes.
  var heldBytes: Int {
    chunks.capacity * MemoryLayout<Chunk>.stride + tree.capacity * MemoryLayout<Sums>.stride
      + chunks.reduce(0) { $0 + $1.heights.capacity * MemoryLayout<Int32>.stride }
  }

  private func height(of sums: Sums) -> Int { height(of: sums, average) }

  private func height(of sums: Sums, _ average: Double) -> Int {
    sums.height + Int((Double(sums.unknown) * average).rounded(.down))
  }

  // MARK: Lines

  /// The height of a line, at least 1; nil while it is unmeasured.
  subscript(line: Int) -> Int? {
    get {
      guard line >= 0, line < count, let (index, offset) = find(line) else { return nil }
      let heights = chunks[index].heights
      return heights.isEmpty || heights[offset] == 0 ? nil : Int(heights[offset])
    }
    set {
      guard line >= 0, line < count, let (index, offset) = find(line) else { return }
      let height = Int32(newValue.map { max(1, min($0, Self.mostHeight)) } ?? 0)
      let isUnknown = chunks[index].heights.isEmpty
      if isUnknown && height == 0 { return }
      if isUnknown {
        open(index, at: offset)
        self[line] = newValue
        return
      }
      let former = chunks[index].heights[offset]
      if former == height { return }
      chunks[index].heights[offset] = height
      var change = Sums()
      change.height = Int(height) - Int(former)
      change.unknown = (height == 0 ? 1 : 0) - (former == 0 ? 1 : 0)
      chunks[index].sums += change
      total += change
      var node = index + 1
      while node <= chunks.count {
        tree[node] += change
        node += node & -node
      }
    }
  }

  /// The height of a line, measured or estimated.
  func height(of line: Int) -> Int { self[line] ?? max(1, Int(average.rounded())) }

  /// The position at which a line begins, relative to the first line.
  func start(of line: Int) -> Int {
    let line = max(0, min(line, count))
    var (sums, index) = self.sums(before: line)
    if index < chunks.count { sums += chunks[index].part(0..<line - sums.lines).sums }
    return height(of: sums)
  }

  /// The line at a position, or the nearest one.
  func line(at place: Int) -> Int {
    let average = average
    var node = 0
    var sums = Sums()
    var step = Self.highestStep(chunks.count)
    while step > 0 {
      if node + step <= chunks.count {
        var next = sums
        next += tree[node + step]
        if height(of: next, average) <= place {
          node += step
          sums = next
        }
      }
      step /= 2
    }
    guard node < chunks.count else { return max(0, count - 1) }
    let chunk = chunks[node]
    for offset in 0..<chunk.heights.count {
      var next = sums
      next.lines += 1
      if chunk.heights[offset] == 0 { next.unknown += 1 }
      next.height += Int(chunk.heights[offset])
      if height(of: next, average) > place { return sums.lines }
      sums = next
    }
    // All lines of this chunk are unmeasured.
    let rest = Double(place - sums.height) / average - Double(sums.unknown)
    var line = max(0, min(Int(rest), chunk.sums.lines - 1))
    func end(_ line: Int) -> Int {
      var whole = sums
      whole.unknown += line + 1
      return height(of: whole, average)
    }
    while line > 0, end(line - 1) > place { line -= 1 }
    while line < chunk.sums.lines - 1, end(line) <= place { line += 1 }
    return sums.lines + line
  }

  // MARK: Edits

  /// Discards all heights except for their average, and sets the number of lines.
  mutating func forget(count: Int) {
    formerAverage = average
    (chunks, tree, total) = ([], [], Sums())
    append(.unknown(count))
  }

  /// Uses the average of other heights for unmeasured lines.
  mutating func takeAverage(of other: RowHeights) { formerAverage = other.average }

  /// Removes lines at the end, or adds unmeasured ones.
  mutating func setCount(_ count: Int) {
    if count < self.count { remove(count..<self.count) }
    if count > self.count { insert(at: self.count, count: count - self.count) }
  }

  mutating func insert(at line: Int, count added: Int) {
    if added <= 0 || line < 0 || line > count { return }
    replace(line..<line, with: [.unknown(added)])
  }

  mutating func remove(_ range: Range<Int>) {
    replace(range.clamped(to: 0..<count), with: [])
  }

  mutating func forget(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<count)
    replace(range, with: [.unknown(range.count)])
  }

  mutating func move(from: Int, to: Int) {
    guard from != to, (0..<count).contains(from), (0..<count).contains(to) else { return }
    let height = self[from]
    remove(from..<from + 1)
    insert(at: to, count: 1)
    self[to] = height
  }

  /// Applies an edit of the rows; each row must have a line of its own.
  mutating func follow(_ edit: RowEdit) {
    switch edit {
    case .insertion(let range): insert(at: range.lowerBound, count: range.count)
    case .removal(let range): remove(range)
    case .replacement(let range): forget(range)
    case .move(let from, let to): move(from: from, to: to)
    }
  }

  // MARK: Chunks

  private mutating func append(_ chunk: Chunk) {
    if chunk.sums.lines == 0 { return }
    chunks.append(chunk)
    total += chunk.sums
    buildTree()
  }

  /// The chunk that contains a line, and the line's offset in it.
  private func find(_ line: Int) -> (chunk: Int, offset: Int)? {
    let (sums, index) = self.sums(before: line)
    return index < chunks.count ? (index, line - sums.lines) : nil
  }

  /// The sums of the chunks before the one that contains a line, and that chunk's index.
  private func sums(before line: Int) -> (Sums, index: Int) {
    var node = 0
    var sums = Sums()
    var step = Self.highestStep(chunks.count)
    while step > 0 {
      if node + step <= chunks.count, sums.lines + tree[node + step].lines <= line {
        node += step
        sums += tree[node]
      }
      step /= 2
    }
    return (sums, node)
  }

  private static func highestStep(_ count: Int) -> Int {
    count == 0 ? 0 : 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount)
  }

  /// Splits a chunk of unmeasured lines so that heights can be stored around an offset.
  private mutating func open(_ index: Int, at offset: Int) {
    let count = chunks[index].sums.lines
    let start = offset - offset % Self.chunkSize
    let end = min(count, start + Self.chunkSize)
    var middle = Chunk.unknown(end - start)
    middle.heights = Array(repeating: 0, count: end - start)
    let parts = [.unknown(start), middle, .unknown(count - end)]
    chunks.replaceSubrange(index...index, with: parts.filter { $0.sums.lines > 0 })
    buildTree()
  }

  /// Replaces lines by chunks, and merges small chunks.
  private mutating func replace(_ range: Range<Int>, with new: [Chunk]) {
    var parts = chunks(0..<range.lowerBound)
    for chunk in new + chunks(range.upperBound..<count) where chunk.sums.lines > 0 {
      guard let last = parts.last else {
        parts.append(chunk)
        continue
      }
      let isSmall = last.sums.lines + chunk.sums.lines <= Self.chunkSize
      if last.heights.isEmpty && chunk.heights.isEmpty {
        parts[parts.count - 1] = .unknown(last.sums.lines + chunk.sums.lines)
      } else if isSmall {
        parts[parts.count - 1] = Chunk((last.lineHeights + chunk.lineHeights)[...])
      } else {
        parts.append(chunk)
      }
    }
    chunks = parts
    total = Sums()
    for chunk in chunks { total += chunk.sums }
    buildTree()
  }

  /// The chunks of a range of lines; those at its ends may be partial.
  private func chunks(_ range: Range<Int>) -> [Chunk] {
    if range.isEmpty { return [] }
    var found: [Chunk] = []
    let first = sums(before: range.lowerBound)
    var (start, index) = (first.0.lines, first.index)
    while start < range.upperBound, index < chunks.count {
      let chunk = chunks[index]
      let part = range.clamped(to: start..<start + chunk.sums.lines)
      let isWhole = part.count == chunk.sums.lines
      found.append(isWhole ? chunk : chunk.part(part.lowerBound - start..<part.upperBound - start))
      start += chunk.sums.lines
      index += 1
    }
    return found
  }

  private mutating func buildTree() {
    tree = [Sums()] + chunks.map(\.sums)
    for node in tree.indices.dropFirst() {
      let parent = node + (node & -node)
      if parent < tree.count { tree[parent] += tree[node] }
    }
  }
}
