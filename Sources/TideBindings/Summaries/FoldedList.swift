import TideGraph

/// What `@sum`, `@min` and the like have in common: each row counts towards one result.
class FoldedList: ElementList {
  /// For subclasses: begins again, without rows.
  func reset() {}

  /// For subclasses: takes in what a row holds, in place of what it held before.
  func put(_ row: RowOrder.Row) {}

  /// For subclasses: takes out what a row held.
  func takeOut(_ row: RowOrder.Row) {}

  final override func arrange() -> [Value] {
    forgetAll()
    reset()
    for row in order { put(row) }
    markChanged()
    return []
  }

  final override func added(_ row: RowOrder.Row) {
    put(row)
    markChanged()
  }

  final override func willRemove(_ row: RowOrder.Row) {
    forget(row)
    takeOut(row)
    markChanged()
  }

  final override func changed(_ rows: [RowOrder.Row]) {
    for row in rows { put(row) }
    markChanged()
  }
}

/// `@sum` and `@avg`: the sum of what is read of the elements, of which nil counts as 0.
final class TotalList: FoldedList {
  private var sum = ExactSum()
  /// What each row has added.
  private var added: [Value] = []

  override func reset() {
    sum = ExactSum()
    added = []
  }

  override func put(_ row: RowOrder.Row) {
    while added.count <= Int(row) { added.append(.null) }
    sum.remove(added[Int(row)])
    added[Int(row)] = value(of: row)
    sum.add(added[Int(row)])
  }

  override func takeOut(_ row: RowOrder.Row) {
    sum.remove(added[Int(row)])
    added[Int(row)] = .null
  }

  override func summary() -> Value {
    guard case .avg = reader.summary else { return sum.value }
    return order.count == 0 ? 0 : .number(sum.number / Double(order.count))
  }
}
