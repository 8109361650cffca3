import TideGraph
package import TideValues

/// The elements of another list, sorted by keys or by a comparison. Equal elements stay in the
/// source's order.
///
/// Texts are in the order of the app's language, and are sorted again when the language changes.
///
/// A new or changed row finds its position by binary search, in about log2 n comparisons. A removed
/// row is found without comparisons.
package final class SortedList: DerivedList {
  // Unchecked for speed, as `ValueList.storage`: a script's function never runs during a change.
  @exclusivity(unchecked) private var arranged = RowOrder()
  private let comesBefore: ((Value, Value) throws -> Bool)?
  private var keys: SortKeys

  /// Sorts by the result of a function for each element: nil, booleans, numbers, texts, objects.
  package init(
    _ source: ValueList, descending: Bool = false, order: TextOrder = .language,
    by key: @escaping (Value) throws -> Value
  ) {
    comesBefore = nil
    keys = SortKeys([SortKeys.Part(isDescending: descending, order: order)])
    super.init(source) { value, _ in try key(value) }
  }

  /// Sorts by several functions: each one decides between elements that are equal in all before it.
  init(
    _ source: ValueList, by parts: [(key: (Value) throws -> Value, part: SortKeys.Part)]
  ) {
    comesBefore = nil
    keys = SortKeys(parts.map(\.part))
    super.init(source) { value, _ in
      .object(SortKeys.Tuple(try parts.map { try $0.key(value) }))
    }
  }

  /// Sorts by a comparison, which returns true if the first element comes before the second.
  ///
  /// The reads of the comparison for an element are found by comparing the element with itself.
  package init(_ source: ValueList, comparing comesBefore: @escaping (Value, Value) throws -> Bool)
  {
    self.comesBefore = comesBefore
    keys = SortKeys([])
    var rounds = 0
    super.init(source) { value, _ in
      _ = try comesBefore(value, value)
      // Something that it reads has changed, so the result must differ.
      rounds += 1
      return .integer(rounds)
    }
  }

  override var shortPurpose: String { "order" }

  override func takeOtherRules() -> Bool {
    keys.follow(BindingTable.of(graph).transformers.language)
  }

  override func arrange() throws(WorkError) -> [Value] {
    keys.forgetAll()
    // The rows' positions in the source, so that a stable comparison needs no look-up.
    var positions = [Int](repeating: 0, count: rows.values.count)
    for (position, row) in order.enumerated() { positions[Int(row)] = position }
    let sorted = order.sorted { a, b in
      switch compare(a, b) {
      case 0: positions[Int(a)] < positions[Int(b)]
      case let difference: difference < 0
      }
    }
    // Once the turn is over, `precedes` no longer compares and the order means nothing.
    try WorkBudget.checkTime()
    arranged = RowOrder(sorted)
    return sorted.map { rows.values[Int($0)] }
  }

  override func added(_ row: RowOrder.Row) {
    keys.forget(row)
    let position = position(for: row)
    arranged.insert(row, at: position)
    emit(.insert([rows.values[Int(row)]], at: position))
  }

  override func willRemove(_ row: RowOrder.Row) {
    let position = arranged.position(of: row)
    arranged.remove(at: position)
    emit(.remove(position..<position + 1))
  }

  override func replaced(_ old: RowOrder.Row, by new: RowOrder.Row, _ replace: () -> Void) {
    let from = arranged.position(of: old)
    arranged.remove(at: from)
    replace()
    keys.forget(new)
    let to = position(for: new)
    arranged.insert(new, at: to)
    if from == to {
      emit(.replace(rows.values[Int(new)], at: to))
    } else {
      emit(.remove(from..<from + 1))
      emit(.insert([rows.values[Int(new)]], at: to))
    }
  }

  /// The source's order decides between equal elements.
  override func moved(_ row: RowOrder.Row, _ move: () -> Void) {
    let from = arranged.position(of: row)
    arranged.remove(at: from)
    move()
    let to = position(for: row)
    arranged.insert(row, at: to)
    if from != to { emit(.move(from: from, to: to)) }
  }

  /// All changed rows are removed before any finds its position, because the search needs the
  /// others in order. Then each is moved after its predecessor.
  override func changed(_ rows: [RowOrder.Row]) {
    for row in rows { keys.forget(row) }
    if rows.count == 1 { return moved(rows[0]) {} }
    var shown = arranged
    for row in rows { arranged.remove(at: arranged.position(of: row)) }
    for row in rows { arranged.insert(row, at: position(for: row)) }
    let inOrder = rows.map { ($0, arranged.position(of: $0)) }.sorted { $0.1 < $1.1 }
    for (row, position) in inOrder {
      let from = shown.position(of: row)
      shown.remove(at: from)
      let to = position == 0 ? 0 : shown.position(of: arranged[position - 1]) + 1
      shown.insert(row, at: to)
      if from != to { emit(.move(from: from, to: to)) }
    }
  }

  /// The position in the source of the element at a position. Both count from 0.
  func sourcePosition(of position: Int) -> Int { order.position(of: arranged[position]) }

  private func position(for row: RowOrder.Row) -> Int {
    guard let comesBefore else {
      return firstPosition(in: 0..<arranged.count) { !isOrdered(arranged[$0], before: row) }
    }
    let value = rows.values[Int(row)]
    return graph.untracked {
      // A script's comparison is called once per step: first to find the start of the equal
      // elements, and only if there are any, to find their end.
      let start = firstPosition(in: 0..<arranged.count) { position in
        !holds(comesBefore, shownValue(position), value)
      }
      if start == arranged.count || holds(comesBefore, value, shownValue(start)) { return start }
      let end = firstPosition(in: start + 1..<arranged.count) { position in
        holds(comesBefore, value, shownValue(position))
      }
      let sourcePosition = order.position(of: row)
      return firstPosition(in: start..<end) {
        order.position(of: arranged[$0]) >= sourcePosition
      }
    }
  }

  private func shownValue(_ position: Int) -> Value { rows.values[Int(arranged[position])] }

  /// Binary search: the first position for which a predicate holds that holds for all later
  /// positions, too; the end if there is none.
  @inline(__always)
  private func firstPosition(in range: Range<Int>, where holds: (Int) -> Bool) -> Int {
    var low = range.lowerBound, high = range.upperBound
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func isOrdered(_ a: RowOrder.Row, before b: RowOrder.Row) -> Bool {
    let difference = compare(a, b)
    return difference == 0 ? order.position(of: a) < order.position(of: b) : difference < 0
  }

  /// Negative if the first row comes before the second, positive if after, 0 if neither does.
  private func compare(_ a: RowOrder.Row, _ b: RowOrder.Row) -> Int {
    guard comesBefore != nil else { return keys.compare(a, b, in: rows.results) }
    return precedes(a, b) ? -1 : precedes(b, a) ? 1 : 0
  }

  private func precedes(_ a: RowOrder.Row, _ b: RowOrder.Row) -> Bool {
    guard let comesBefore else { return false }
    let (x, y) = (rows.values[Int(a)], rows.values[Int(b)])
    return graph.untracked { holds(comesBefore, x, y) }
  }

  /// Whether a comparison returns true. Its errors are listed.
  @inline(__always)
  private func holds(
    _ comesBefore: (Value, Value) throws -> Bool, _ first: Value, _ second: Value
  ) -> Bool {
    if WorkBudget.isOver { return false }
    do { return try comesBefore(first, second) } catch {
      rows.list(error)
      return false
    }
  }
}

extension Value {
  /// Negative if this value sorts before another, positive if after, 0 if they are equal.
  ///
  /// Nil comes first, then false, true, numbers (with NaN last), texts, and objects, which are all
  /// equal.
  package func compare(with other: Value) -> Int {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): return a < b ? -1 : a > b ? 1 : 0
    case (.string(let a), .string(let b)): return a < b ? -1 : a > b ? 1 : 0
    case (.boolean(let a), .boolean(let b)): return (a ? 1 : 0) - (b ? 1 : 0)
    case (.bytes(let a), .bytes(let b)): return Self.compare(a, b)
    case (.bytes(let a), .string(let b)): return Self.compare(a, b.utf8)
    case (.string(let a), .bytes(let b)): return Self.compare(a.utf8, b)
    default:
      if sortRank != other.sortRank { return sortRank - other.sortRank }
      guard sortRank == 2 else { return 0 }
      let (a, b) = (Arithmetic.float(self), Arithmetic.float(other))
      if a.isNaN || b.isNaN { return (a.isNaN ? 1 : 0) - (b.isNaN ? 1 : 0) }
      return a < b ? -1 : a > b ? 1 : 0
    }
  }

  private static func compare(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Int {
    a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
  }

  private var sortRank: Int {
    switch self {
    case .null: 0
    case .boolean: 1
    case .integer, .number: 2
    case .string, .bytes: 3
    case .object: isNil ? 0 : 4
    }
  }
}
