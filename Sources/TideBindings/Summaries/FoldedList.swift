import TideGraph

/// The base class of `@sum`, `@min` and similar operators: each row contributes to one result.
class FoldedList: ElementList {
  /// For subclasses: starts over without rows.
  func reset() {}

  /// For subclasses: includes a row's value, in place of its former one.
  func put(_ row: RowOrder.Row) {}

  /// For subclasses: excludes a row's value.
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

/// `@sum` and `@avg`: the sum of the values that are read from the elements. Nil counts as 0.
final class TotalList: FoldedList {
  private var sum = ExactSum()
  /// The value that each row contributes.
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
