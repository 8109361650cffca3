/// Rows of a list that keep their shown positions while the list's source moves them.
///
///     source   b  d  H  f          H is held: it has moved, as its key has changed
///     rest     b  d     f          both lists without the held rows: always the same
///     shown    b  H  d  f          the rest, with the held rows at their positions
///
/// An edit of the source either changes the rest, or only a held row, which does not change what is
/// shown. A held row that was not shown appears where the source inserts it, and stays there.
struct HeldRows {
  private(set) var keys: Set<ContentKey> {
    didSet { only = keys.count == 1 ? keys.first?.value : nil }
  }
  /// The held value if there is only one: comparing is faster than hashing.
  private var only: Value?
  /// The shown positions of the held rows, ascending, and their values.
  private(set) var shown: [Int]
  private(set) var values: [Value]
  /// The positions of the held rows in the source, ascending, without rows that the source has
  /// removed.
  private(set) var source: [Int]

  /// Holds values at their positions in a list that shows its source unchanged.
  init(_ keys: Set<ContentKey>, in list: ChunkedArray<Value>) {
    self.keys = keys
    only = keys.count == 1 ? keys.first?.value : nil
    (shown, values, source) = ([], [], [])
    var position = 0
    for chunk in list.chunks {
      for value in chunk.elements {
        if holds(value) {
          shown.append(position)
          values.append(value)
        }
        position += 1
      }
    }
    source = shown
  }

  private func positions(in values: [Value]) -> [Int] {
    values.enumerated().compactMap { holds($1) ? $0 : nil }
  }

  /// With many held rows, comparing the lists is less work than following each edit.
  var isFollowed: Bool { shown.count + source.count <= 16 }

  func holds(_ value: Value) -> Bool {
    if let only { return value == only }
    return keys.contains(ContentKey(value))
  }

  /// Whether a held row would appear that was not shown so far.
  private func appears(_ value: Value) -> Bool { holds(value) && !values.contains(value) }

  // MARK: Positions

  private func restIndex(ofSource index: Int) -> Int { index - source.count { $0 < index } }

  /// The shown position of a row of the rest. A row inserted at the position of held rows comes
  /// after them.
  private func shownIndex(ofRest index: Int) -> Int {
    var index = index
    for position in shown where position <= index { index += 1 }
    return index
  }

  /// The position of a shown row in the source; nil for a held row.
  func sourceIndex(ofShown index: Int) -> Int? {
    if shown.contains(index) { return nil }
    var found = index - shown.count { $0 < index }
    for position in source where position <= found { found += 1 }
    return found
  }

  // MARK: Following

  /// Translates an edit of the source to edits of the shown list; nil if the lists must be
  /// compared.
  mutating func follow(_ edit: ValueList.Edit, _ old: (Int) -> Value) -> [ValueList.Edit]? {
    switch edit {
    case .insert(let values, let position):
      if values.contains(where: appears) { return nil }
      return insert(values, at: position).map { [$0] } ?? []
    case .remove(let range):
      if range.count > 64 { return nil }
      return range.reversed().compactMap { remove(at: $0) }
    case .replace(let value, let position):
      if !source.contains(position), !holds(value) {
        return [.replace(value, at: shownIndex(ofRest: restIndex(ofSource: position)))]
      }
      if appears(value) { return nil }
      let removal = remove(at: position)
      return [removal, insert([value], at: position)].compactMap { $0 }
    case .move(let from, let to):
      if source.contains(from) {
        moveHeld(from: from, to: to)
        return []
      }
      let shownFrom = shownIndex(ofRest: restIndex(ofSource: from))
      let value = old(shownFrom)
      let removal = remove(at: from)
      return [removal, insert([value], at: to)].compactMap { $0 }.asMoves
    case .change: return nil
    }
  }

  private mutating func insert(_ values: [Value], at position: Int) -> ValueList.Edit? {
    let index = shownIndex(ofRest: restIndex(ofSource: position))
    source = source.map { $0 >= position ? $0 + values.count : $0 }
    let rest = values.filter { !holds($0) }
    if rest.count < values.count {
      let held = positions(in: values).map { $0 + position }
      source = (source + held).sorted()
    }
    if rest.isEmpty { return nil }
    shown = shown.map { $0 >= index ? $0 + rest.count : $0 }
    return .insert(rest, at: index)
  }

  private mutating func remove(at position: Int) -> ValueList.Edit? {
    let isHeld = source.contains(position)
    let index = isHeld ? 0 : shownIndex(ofRest: restIndex(ofSource: position))
    source = source.compactMap { $0 == position ? nil : $0 > position ? $0 - 1 : $0 }
    if isHeld { return nil }
    shown = shown.map { $0 > index ? $0 - 1 : $0 }
    return .remove(index..<index + 1)
  }

  private mutating func moveHeld(from: Int, to: Int) {
    source = source.compactMap { $0 == from ? nil : $0 > from ? $0 - 1 : $0 }
    source = (source.map { $0 >= to ? $0 + 1 : $0 } + [to]).sorted()
  }

  // MARK: Rearranging

  /// Arranges the source's values for display: the held rows stay at their positions, the others
  /// are in the source's order.
  mutating func arrange(_ all: [Value]) -> [Value] {
    source = positions(in: all)
    if source.isEmpty && shown.isEmpty { return all }
    let known = Set(values.map(ContentKey.init))
    var rest = all.filter { !holds($0) || !known.contains(ContentKey($0)) }.makeIterator()
    var arranged: [Value] = []
    arranged.reserveCapacity(all.count + shown.count)
    for index in shown.indices {
      while arranged.count < shown[index], let next = rest.next() { arranged.append(next) }
      arranged.append(values[index])
    }
    while let next = rest.next() { arranged.append(next) }
    shown = positions(in: arranged)
    values = shown.map { arranged[$0] }
    return arranged
  }

  /// Stops holding the values that satisfy a predicate. Returns their shown positions, ascending.
  mutating func drop(where isOver: (Value) -> Bool) -> [Int] {
    var dropped: [Int] = []
    var kept: (positions: [Int], values: [Value]) = ([], [])
    for (position, value) in zip(shown, values) {
      if isOver(value) {
        dropped.append(position)
      } else {
        kept.positions.append(position - dropped.count)
        kept.values.append(value)
      }
    }
    (shown, values) = (kept.positions, kept.values)
    keys = keys.filter { !isOver($0.value) }
    return dropped
  }

  /// The edits that move the held rows to their positions in the source.
  func release(to all: ChunkedArray<Value>) -> [ValueList.Edit] {
    let isSame = source.count == values.count && zip(source, values).allSatisfy { all[$0] == $1 }
    if isSame && shown == source { return [] }
    if isSame, shown.count == 1 { return [.move(from: shown[0], to: source[0])] }
    return shown.reversed().map { .remove($0..<$0 + 1) }
      + source.map { .insert([all[$0]], at: $0) }
  }
}

extension [ValueList.Edit] {
  /// Turns a removal followed by an insertion into a move.
  fileprivate var asMoves: Self {
    guard count == 2, case .remove(let range) = self[0], case .insert(_, let to) = self[1] else {
      return self
    }
    return [.move(from: range.lowerBound, to: to)]
  }
}
