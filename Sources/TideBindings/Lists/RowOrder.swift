/// Rows in an order, each of which knows its position, and how many flagged ones come before it.
///
/// A row is a small number that its owner gave out. Inserting, removing, asking for a row's position
/// or for the row at one, and counting flags take the logarithm of the number of chunks plus a look
/// through one chunk.
struct RowOrder {
  typealias Row = UInt32

  private var rows = ChunkedArray<Row>()
  /// For each row the identity of the chunk that holds it.
  private var homes: [UInt32] = []
  /// For each chunk's identity its place.
  private var places: [Int] = [0]
  private var flags: [Bool] = []
  /// How many flagged rows each chunk holds.
  private var flagCounts = PrefixCounts([0])

  init() {}

  init(_ rows: some Collection<Row>) {
    self.rows = ChunkedArray(rows)
    homes = [UInt32](repeating: 0, count: (rows.max().map { Int($0) + 1 }) ?? 0)
    places = [Int](repeating: 0, count: self.rows.idLimit)
    flags = [Bool](repeating: false, count: homes.count)
    for (index, chunk) in self.rows.chunks.enumerated() {
      places[Int(chunk.id)] = index
      for row in chunk.elements { homes[Int(row)] = chunk.id }
    }
    recountFlags()
  }

  var count: Int { rows.count }

  subscript(position: Int) -> Row { rows[position] }

  /// The position of a row that is in the order.
  func position(of row: Row) -> Int {
    let place = places[Int(homes[Int(row)])]
    let offset = rows.chunks[place].elements.firstIndex(of: row) ?? 0
    return rows.start(ofChunk: place) + offset
  }

  mutating func insert(_ row: Row, at position: Int) {
    while homes.count <= Int(row) {
      homes.append(0)
      flags.append(false)
    }
    flags[Int(row)] = false
    let (chunk, new) = rows.insert(row, at: position)
    if let new {
      renumberPlaces(from: new)
      rehome(new)
      recountFlags()
    }
    homes[Int(row)] = rows.chunks[chunk].id
  }

  @discardableResult
  mutating func remove(at position: Int) -> Row {
    setFlag(false, of: rows[position])
    let (row, merged) = rows.remove(at: position)
    if let merged {
      renumberPlaces(from: merged)
      rehome(merged)
      recountFlags()
    }
    return row
  }

  // MARK: Flags

  func isFlagged(_ row: Row) -> Bool { flags[Int(row)] }

  /// Flags a row that is in the order, or takes its flag away. A row comes without one.
  mutating func setFlag(_ isFlagged: Bool, of row: Row) {
    if flags[Int(row)] == isFlagged { return }
    flags[Int(row)] = isFlagged
    flagCounts.add(isFlagged ? 1 : -1, at: places[Int(homes[Int(row)])])
  }

  /// How many flagged rows come before a row.
  func flaggedCount(before row: Row) -> Int {
    let place = places[Int(homes[Int(row)])]
    var count = flagCounts.total(before: place)
    for other in rows.chunks[place].elements {
      if other == row { break }
      if flags[Int(other)] { count += 1 }
    }
    return count
  }

  private mutating func recountFlags() {
    flagCounts = PrefixCounts(
      rows.chunks.map { chunk in chunk.elements.reduce(0) { flags[Int($1)] ? $0 + 1 : $0 } })
  }

  private mutating func rehome(_ chunk: Int) {
    let id = rows.chunks[chunk].id
    for row in rows.chunks[chunk].elements { homes[Int(row)] = id }
  }

  private mutating func renumberPlaces(from first: Int) {
    while places.count < rows.idLimit { places.append(0) }
    for index in first..<rows.chunks.count { places[Int(rows.chunks[index].id)] = index }
  }
}

extension RowOrder: Sequence {
  func makeIterator() -> some IteratorProtocol<Row> { rows.makeIterator() }
}

extension RowOrder {
  /// What is wrong with the structure, or nil; tests ask after every operation.
  var brokenInvariant: String? {
    if let broken = rows.brokenInvariant { return broken }
    var flagged = 0
    for (index, row) in enumerated() {
      if position(of: row) != index { return "row \(row) is at \(index), not \(position(of: row))" }
      if flaggedCount(before: row) != flagged { return "row \(row) has \(flagged) flags before it" }
      if isFlagged(row) { flagged += 1 }
    }
    return nil
  }
}
