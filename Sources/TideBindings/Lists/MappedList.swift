import TideGraph
package import TideValues

/// The results of a function for each element of another list, in its order.
///
/// While a user edits an object that the function has made, or an object that it leads to, the row
/// keeps that object. A new object would be a new row, which would end the edit.
package final class MappedList: DerivedList {
  package init(_ source: ValueList, by function: @escaping (Value) throws -> Value) {
    super.init(source) { value, _ in try function(value) }
    rows.held = .record
  }

  /// A row that reappears is mapped again, so results cannot be looked up: any value may be
  /// concealed.
  package override func conceals(_ value: Value) -> Bool { source is LiveList }

  override var shortPurpose: String { "map" }

  override func arrange() throws(WorkError) -> [Value] { order.map(element) }

  override func added(_ row: RowOrder.Row) {
    emit(.insert([element(row)], at: order.position(of: row)))
  }

  override func willRemove(_ row: RowOrder.Row) {
    let position = order.position(of: row)
    emit(.remove(position..<position + 1))
  }

  override func replaced(_ old: RowOrder.Row, by new: RowOrder.Row, _ replace: () -> Void) {
    replace()
    put(new)
  }

  override func moved(_ row: RowOrder.Row, _ move: () -> Void) {
    let from = order.position(of: row)
    move()
    emit(.move(from: from, to: order.position(of: row)))
  }

  override func changed(_ rows: [RowOrder.Row]) {
    for row in rows { put(row) }
  }

  private func put(_ row: RowOrder.Row) {
    let position = order.position(of: row)
    let element = element(row)
    if storage[position] != element { emit(.replace(element, at: position)) }
  }

  private func element(_ row: RowOrder.Row) -> Value { rows.results[Int(row)].asElement }
}
