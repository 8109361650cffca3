import TideGraph

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
