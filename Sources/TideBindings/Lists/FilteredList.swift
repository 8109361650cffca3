import TideGraph
package import TideValues

/// The elements of another list for which a function holds, in its order.
///
/// A flagged row is one that passes, so the number of flags before a row is its position.
package final class FilteredList: DerivedList {
  package init(_ source: ValueList, _ passes: @escaping (Value) throws -> Bool) {
    super.init(source) { value, _ in .boolean(try passes(value)) }
  }

  override var shortPurpose: String { "filter" }

  override func arrange() throws(WorkError) -> [Value] {
    for row in order { order.setFlag(passes(row), of: row) }
    return order.lazy.filter(passes).map { self.rows.values[Int($0)] }
  }

  override func added(_ row: RowOrder.Row) {
    if passes(row) { show(row) }
  }

  override func willRemove(_ row: RowOrder.Row) {
    if order.isFlagged(row) { hide(row) }
  }

  override func replaced(_ old: RowOrder.Row, by new: RowOrder.Row, _ replace: () -> Void) {
    guard order.isFlagged(old), passes(new) else {
      willRemove(old)
      replace()
      added(new)
      return
    }
    replace()
    order.setFlag(true, of: new)
    emit(.replace(rows.values[Int(new)], at: order.flaggedCount(before: new)))
  }

  override func moved(_ row: RowOrder.Row, _ move: () -> Void) { moveFlagged(row, move) }

  override func changed(_ rows: [RowOrder.Row]) {
    for row in rows where passes(row) != order.isFlagged(row) {
      if passes(row) { show(row) } else { hide(row) }
    }
  }

  /// The position in the source of the element at a position. Both count from 0.
  func sourcePosition(of position: Int) -> Int { order.position(ofFlagged: position) }

  private func show(_ row: RowOrder.Row) {
    order.setFlag(true, of: row)
    emit(.insert([rows.values[Int(row)]], at: order.flaggedCount(before: row)))
  }

  private func hide(_ row: RowOrder.Row) {
    let position = order.flaggedCount(before: row)
    order.setFlag(false, of: row)
    emit(.remove(position..<position + 1))
  }

  private func passes(_ row: RowOrder.Row) -> Bool { rows.results[Int(row)] == .boolean(true) }
}
