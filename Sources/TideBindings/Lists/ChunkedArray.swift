/// An array in chunks of a few hundred elements, so that an edit of a long array moves few of them.
///
///     chunks   [ a b c ] [ d e f g ] [ h ]
///     totals       3     +    4    +   1        (prefix counts find the chunk of a position)
///
/// Reading by position and editing take time logarithmic in the number of chunks, plus the move
/// within one chunk. Up to `capacity` elements it is a single plain array. A chunk has an identity
/// that stays the same when its neighbours move. Edits report the chunk whose elements have moved
/// to another chunk.
struct ChunkedArray<Element> {
  struct Chunk {
    var elements: ContiguousArray<Element>
    let id: UInt32
  }

  private(set) var chunks: [Chunk] = [Chunk(elements: [], id: 0)]
  private var totals = PrefixCounts([0])
  /// Identities that no chunk has, for reuse.
  private var freeIDs: [UInt32] = []
  private var nextID: UInt32 = 1

  /// The maximum number of elements of a chunk.
  static var capacity: Int { 256 }

  init() {}

  init(_ elements: some Collection<Element>) {
    replaceAll(elements)
  }

  var count: Int { totals.total }
  var isEmpty: Bool { count == 0 }

  /// The chunk that holds a position, and the offset in it.
  @inline(__always)
  func locate(_ position: Int) -> (chunk: Int, offset: Int) {
    chunks.count == 1 ? (0, position) : totals.index(of: position)
  }

  func start(ofChunk index: Int) -> Int { chunks.count == 1 ? 0 : totals.total(before: index) }

  subscript(position: Int) -> Element {
    get {
      let (chunk, offset) = locate(position)
      return chunks[chunk].elements[offset]
    }
    set {
      let (chunk, offset) = locate(position)
      chunks[chunk].elements[offset] = newValue
    }
  }

  /// Inserts an element. Returns its chunk, and the chunk that was split off from that, if any.
  @discardableResult
  mutating func insert(_ element: Element, at position: Int) -> (chunk: Int, new: Int?) {
    var (chunk, offset) = chunkToInsert(at: position)
    var new: Int?
    if chunks[chunk].elements.count >= Self.capacity {
      split(chunk)
      new = chunk + 1
      let half = chunks[chunk].elements.count
      if offset > half { (chunk, offset) = (chunk + 1, offset - half) }
    }
    chunks[chunk].elements.insert(element, at: offset)
    totals.add(1, at: chunk)
    return (chunk, new)
  }

  /// Removes an element. Also returns the chunk that has absorbed a neighbour's elements, if any.
  @discardableResult
  mutating func remove(at position: Int) -> (element: Element, merged: Int?) {
    let (chunk, offset) = locate(position)
    let element = chunks[chunk].elements.remove(at: offset)
    totals.add(-1, at: chunk)
    return (element, mergeIfSmall(chunk))
  }

  /// The lowest number above all identities.
  var idLimit: Int { Int(nextID) }

  private mutating func takeID() -> UInt32 {
    if let free = freeIDs.popLast() { return free }
    nextID += 1
    return nextID - 1
  }

  mutating func replaceAll(_ elements: some Collection<Element>) {
    // Three quarters full, so that an edit does not split at once.
    let share = Self.capacity * 3 / 4
    chunks.removeAll(keepingCapacity: true)
    freeIDs = []
    nextID = 0
    var rest = elements[...]
    repeat {
      let part = elements.count <= Self.capacity ? rest : rest.prefix(share)
      chunks.append(Chunk(elements: ContiguousArray(part), id: takeID()))
      rest = rest.dropFirst(part.count)
    } while !rest.isEmpty
    // A key path would be looked up again for each chunk, because the element type is generic.
    totals = PrefixCounts(chunks.map { $0.elements.count })
  }

  /// At a chunk boundary the element is appended to the chunk before, so that appending fills
  /// chunks.
  private func chunkToInsert(at position: Int) -> (chunk: Int, offset: Int) {
    if chunks.count == 1 { return (0, position) }
    if position == 0 { return (0, 0) }
    let (chunk, offset) = totals.index(of: position - 1)
    return (chunk, offset + 1)
  }

  private mutating func split(_ index: Int) {
    let isLast = index == chunks.count - 1
    // A list that grows at its end leaves nearly full chunks behind.
    let kept = isLast ? Self.capacity * 3 / 4 : Self.capacity / 2
    let tail = ContiguousArray(chunks[index].elements[kept...])
    chunks[index].elements.removeSubrange(kept...)
    chunks.insert(Chunk(elements: tail, id: takeID()), at: index + 1)
    totals = PrefixCounts(chunks.map { $0.elements.count })
  }

  private mutating func mergeIfSmall(_ index: Int) -> Int? {
    let count = chunks[index].elements.count
    if count >= Self.capacity / 4 || chunks.count == 1 { return nil }
    let left = index > 0 ? index - 1 : index
    let together = chunks[left].elements.count + chunks[left + 1].elements.count
    guard together <= Self.capacity * 3 / 4 || count == 0 else { return nil }
    let moved = chunks.remove(at: left + 1)
    freeIDs.append(moved.id)
    chunks[left].elements.append(contentsOf: moved.elements)
    totals = PrefixCounts(chunks.map { $0.elements.count })
    return left
  }
}

extension ChunkedArray: Sequence {
  func makeIterator() -> some IteratorProtocol<Element> {
    chunks.lazy.flatMap { $0.elements }.makeIterator()
  }

  var underestimatedCount: Int { count }
}

extension ChunkedArray {
  /// The elements of a range of positions.
  func elements(in range: Range<Int>) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(range.count)
    guard !range.isEmpty else { return result }
    var (chunk, offset) = locate(range.lowerBound)
    while result.count < range.count {
      let part = chunks[chunk].elements[offset...].prefix(range.count - result.count)
      result.append(contentsOf: part)
      (chunk, offset) = (chunk + 1, 0)
    }
    return result
  }
}

extension ChunkedArray {
  /// Describes a broken invariant, or nil. Tests check it after every operation.
  var brokenInvariant: String? {
    if chunks.isEmpty { return "there is no chunk" }
    var start = 0
    for (index, chunk) in chunks.enumerated() {
      if chunk.elements.count > Self.capacity { return "chunk \(index) is too long" }
      if chunks.count > 1, chunk.elements.isEmpty { return "chunk \(index) is empty" }
      if self.start(ofChunk: index) != start { return "chunk \(index) starts elsewhere" }
      start += chunk.elements.count
    }
    if start != count { return "there are \(start) elements, not \(count)" }
    if Set(chunks.map(\.id)).count != chunks.count { return "two chunks have one identity" }
    return nil
  }
}
