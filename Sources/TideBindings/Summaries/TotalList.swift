import TideGraph

/// `@sum` and `@avg`: the sum of what is read of the elements, of which nil counts as 0.
final class TotalList: ElementList {
  private var sum = ExactSum()
  /// What each row has added.
  private var added: [Value] = []

  override func arrange() -> [Value] {
    forgetAll()
    sum = ExactSum()
    added = []
    for row in order { add(row) }
    markChanged()
    return []
  }

  override func added(_ row: RowOrder.Row) {
    add(row)
    markChanged()
  }

  override func willRemove(_ row: RowOrder.Row) {
    forget(row)
    sum.remove(added[Int(row)])
    added[Int(row)] = .null
    markChanged()
  }

  override func changed(_ rows: [RowOrder.Row]) {
    for row in rows {
      sum.remove(added[Int(row)])
      add(row)
    }
    markChanged()
  }

  private func add(_ row: RowOrder.Row) {
    while added.count <= Int(row) { added.append(.null) }
    added[Int(row)] = value(of: row)
    sum.add(added[Int(row)])
  }

  override func summary() -> Value {
    guard case .avg = reader.summary else { return sum.value }
    return order.count == 0 ? 0 : .number(sum.number / Double(order.count))
  }
}
