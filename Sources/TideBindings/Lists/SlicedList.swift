import TideGraph

/// At most a number of elements of another list, from a position on.
///
/// An insertion before the window pushes its last element out. A removal there lets the next
/// element in.
package final class SlicedList: DerivedList {
  /// The first position.
  private let start: Int
  private let length: Int

  /// Neither the position nor the count may be negative.
  package init(_ source: ValueList, from position: Int, count: Int) {
    start = position
    length = count
    super.init(source) { _, _ in .null }
  }

  /// The end position of the window in a list of some length.
  private func end(of count: Int) -> Int {
    // Without a sum, which could overflow.
    count - start <= length ? count : start + length
  }

  override func arrange() throws(WorkError) -> [Value] {
    let end = end(of: order.count)
    return start < end ? (start..<end).map(element) : []
  }

  override func added(_ row: RowOrder.Row) {
    let position = order.position(of: row)
    let end = end(of: order.count)
    guard start < end, position < end else { return }
    // A full window loses its last element.
    if storage.count == length { emit(.remove(length - 1..<length)) }
    let entry = max(position, start)
    emit(.insert([element(entry)], at: entry - start))
  }

  override func willRemove(_ row: RowOrder.Row) {
    let position = order.position(of: row)
    let end = end(of: order.count)
    guard start < end, position < end else { return }
    let exit = max(position, start) - start
    emit(.remove(exit..<exit + 1))
    if end < order.count { emit(.insert([element(end)], at: length - 1)) }
  }

  override func replaced(_ old: RowOrder.Row, by new: RowOrder.Row, _ replace: () -> Void) {
    replace()
    let position = order.position(of: new)
    guard position >= start, position < end(of: order.count) else { return }
    emit(.replace(rows.values[Int(new)], at: position - start))
  }

  override func moved(_ row: RowOrder.Row, _ move: () -> Void) {
    let from = order.position(of: row)
    move()
    let to = order.position(of: row)
    let end = end(of: order.count)
    guard start < end, max(from, to) >= start, min(from, to) < end else { return }
    // The elements that leave and enter are those that the row pushes over the window's edges, or
    // the row itself.
    let exit = min(max(from, start), end - 1) - start
    let entry = min(max(to, start), end - 1)
    if (start..<end).contains(from) && (start..<end).contains(to) {
      if from != to { emit(.move(from: exit, to: entry - start)) }
    } else {
      emit(.remove(exit..<exit + 1))
      emit(.insert([element(entry)], at: entry - start))
    }
  }

  private func element(_ position: Int) -> Value { rows.values[Int(order[position])] }
}
