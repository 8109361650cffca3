import TideGraph

/// `@unionOfObjects`: the values that are read from the elements, in their order, without nil.
///
/// A flagged row is one that is shown, so the number of flags before a row is its position.
final class CollectedList: ElementList {
  override func arrange() -> [Value] {
    forgetAll()
    var shown: [Value] = []
    for row in order {
      let value = value(of: row)
      order.setFlag(value != .null, of: row)
      if value != .null { shown.append(value) }
    }
    return shown
  }

  override func added(_ row: RowOrder.Row) {
    let value = value(of: row)
    if value != .null { show(value, of: row) }
  }

  override func willRemove(_ row: RowOrder.Row) {
    forget(row)
    if order.isFlagged(row) { hide(row) }
  }

  override func replaced(_ old: RowOrder.Row, by new: RowOrder.Row, _ replace: () -> Void) {
    let value = value(of: new)
    guard order.isFlagged(old), value != .null else {
      willRemove(old)
      replace()
      return added(new)
    }
    forget(old)
    replace()
    order.setFlag(true, of: new)
    let position = order.flaggedCount(before: new)
    if storage[position] != value { emit(.replace(value, at: position)) }
  }

  override func moved(_ row: RowOrder.Row, _ move: () -> Void) { moveFlagged(row, move) }

  override func changed(_ rows: [RowOrder.Row]) {
    for row in rows {
      let value = value(of: row)
      switch (order.isFlagged(row), value != .null) {
      case (true, true): emit(.replace(value, at: order.flaggedCount(before: row)))
      case (true, false): hide(row)
      case (false, true): show(value, of: row)
      case (false, false): break
      }
    }
  }

  private func show(_ value: Value, of row: RowOrder.Row) {
    order.setFlag(true, of: row)
    emit(.insert([value], at: order.flaggedCount(before: row)))
  }

  private func hide(_ row: RowOrder.Row) {
    let position = order.flaggedCount(before: row)
    order.setFlag(false, of: row)
    emit(.remove(position..<position + 1))
  }
}
