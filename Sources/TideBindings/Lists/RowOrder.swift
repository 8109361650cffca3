/// An order of rows that finds each row's position, and the total weight of the rows before it.
///
/// A row is a small number that its owner has assigned. Inserting, removing, finding a row's
/// position or the row at a position, and summing weights take time logarithmic in the number of
/// chunks, plus a scan of one chunk. A flag is a weight of 1.
struct RowOrder {
  typealias Row = UInt32

  private var rows = ChunkedArray<Row>()
  /// For each row, the identity of its chunk.
  private var homes: [UInt32] = []
  /// For each identity of a chunk, the chunk's index.
  private var chunkIndexes: [Int] = [0]
  private var weights: [Int] = []
  /// The weight of each chunk's rows.
  private var chunkWeights = PrefixCounts([0])

  init() {}

  init(_ rows: some Collection<Row>) {
    self.rows = ChunkedArray(rows)
    homes = [UInt32](repeating: 0, count: (rows.max().map { Int($0) + 1 }) ?? 0)
    chunkIndexes = [Int](repeating: 0, count: self.rows.idLimit)
    weights = [Int](repeating: 0, count: homes.count)
    for (index, chunk) in self.rows.chunks.enumerated() {
      chunkIndexes[Int(chunk.id)] = index
      for row in chunk.elements { homes[Int(row)] = chunk.id }
    }
    weighChunks()
  }

  var count: Int { rows.count }

  subscript(position: Int) -> Row { rows[position] }

  /// The position of a row that is in the order.
  func position(of row: Row) -> Int {
    let chunk = chunkIndexes[Int(homes[Int(row)])]
    let offset = rows.chunks[chunk].elements.firstIndex(of: row) ?? 0
    return rows.start(ofChunk: chunk) + offset
  }

  mutating func insert(_ row: Row, at position: Int) {
    while homes.count <= Int(row) {
      homes.append(0)
      weights.append(0)
    }
    weights[Int(row)] = 0
    let (chunk, new) = rows.insert(row, at: position)
    if let new {
      renumberChunks(from: new)
      rehome(new)
      weighChunks()
    }
    homes[Int(row)] = rows.chunks[chunk].id
  }

  @discardableResult
  mutating func remove(at position: Int) -> Row {
    setWeight(0, of: rows[position])
    let (row, merged) = rows.remove(at: position)
    if let merged {
      renumberChunks(from: merged)
      rehome(merged)
      weighChunks()
    }
    return row
  }

  // MARK: Weights

  func weight(of row: Row) -> Int { weights[Int(row)] }

  /// Sets the weight of a row in the order. A new row has weight 0.
  mutating func setWeight(_ weight: Int, of row: Row) {
    let change = weight - weights[Int(row)]
    if change == 0 { return }
    weights[Int(row)] = weight
    chunkWeights.add(change, at: chunkIndexes[Int(homes[Int(row)])])
  }

  /// The total weight of the rows before a row.
  func weight(before row: Row) -> Int {
    let chunk = chunkIndexes[Int(homes[Int(row)])]
    var weight = chunkWeights.total(before: chunk)
    for other in rows.chunks[chunk].elements {
      if other == row { break }
      weight += weights[Int(other)]
    }
    return weight
  }

  func isFlagged(_ row: Row) -> Bool { weights[Int(row)] != 0 }

  /// Sets or clears the flag of a row in the order. A new row has no flag.
  mutating func setFlag(_ isFlagged: Bool, of row: Row) { setWeight(isFlagged ? 1 : 0, of: row) }

  /// The number of flagged rows before a row.
  func flaggedCount(before row: Row) -> Int { weight(before: row) }

  /// The position of the flagged row that has `number` flagged rows before it.
  func position(ofFlagged number: Int) -> Int {
    let (chunk, count) = chunkWeights.index(of: number)
    var rest = count
    for (offset, row) in rows.chunks[chunk].elements.enumerated() where isFlagged(row) {
      if rest == 0 { return rows.start(ofChunk: chunk) + offset }
      rest -= 1
    }
    return rows.count
  }

  private mutating func weighChunks() {
    chunkWeights = PrefixCounts(
      rows.chunks.map { chunk in chunk.elements.reduce(0) { $0 + weights[Int($1)] } })
  }

  private mutating func rehome(_ chunk: Int) {
    let id = rows.chunks[chunk].id
    for row in rows.chunks[chunk].elements { homes[Int(row)] = id }
  }

  private mutating func renumberChunks(from first: Int) {
    while chunkIndexes.count < rows.idLimit { chunkIndexes.append(0) }
    for index in first..<rows.chunks.count { chunkIndexes[Int(rows.chunks[index].id)] = index }
  }
}

extension RowOrder: Sequence {
  func makeIterator() -> some IteratorProtocol<Row> { rows.makeIterator() }
}

extension RowOrder {
  /// Describes a broken invariant, or nil. Tests check it after every operation.
  var brokenInvariant: String? {
    if let broken = rows.brokenInvariant { return broken }
    var weight = 0
    for (index, row) in enumerated() {
      if position(of: row) != index { return "row \(row) is at \(index), not \(position(of: row))" }
      if self.weight(before: row) != weight { return "before row \(row) there is \(weight)" }
      weight += self.weight(of: row)
    }
    return nil
  }
}
