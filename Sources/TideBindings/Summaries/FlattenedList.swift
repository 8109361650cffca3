import TideGraph

/// `@unionOfArrays`: the elements of the lists that are read from the elements, one list after the
/// other. An edit of such a list is found by comparing it with its former contents.
///
/// The weight of a row is the length of its list, so the weight before a row is the position of the
/// list.
final class FlattenedList: ElementList {
  /// By row, the elements that are shown for it.
  private var shown: [[Value]] = []

  /// The contents of one list. Each change makes a new object.
  private final class Part {
    let values: [Value]

    init(_ values: [Value]) { self.values = values }
  }

  init(_ source: ValueList, _ reader: ElementReader) {
    super.init(source, reader) { value in
      guard case .object(let object) = value, let list = object as? any ListObject else {
        return .null
      }
      return .object(Part(list.trackedElements.filter { !$0.isNil }))
    }
  }

  private func part(_ row: RowOrder.Row) -> [Value] {
    guard case .object(let part as Part) = value(of: row) else { return [] }
    return part.values
  }

  override func arrange() throws(WorkError) -> [Value] {
    forgetAll()
    shown = []
    for row in order { keep(part(row), of: row) }
    return order.flatMap { shown[Int($0)] }
  }

  override func added(_ row: RowOrder.Row) {
    let values = part(row)
    keep(values, of: row)
    if !values.isEmpty { emit(.insert(values, at: order.weight(before: row))) }
  }

  override func willRemove(_ row: RowOrder.Row) {
    forget(row)
    let start = order.weight(before: row), count = shown[Int(row)].count
    keep([], of: row)
    if count > 0 { emit(.remove(start..<start + count)) }
  }

  override func moved(_ row: RowOrder.Row, _ move: () -> Void) {
    let values = shown[Int(row)]
    let from = order.weight(before: row)
    move()
    keep(values, of: row)
    let to = order.weight(before: row)
    if from == to || values.isEmpty { return }
    emit(.remove(from..<from + values.count))
    emit(.insert(values, at: to))
  }

  override func changed(_ rows: [RowOrder.Row]) {
    for row in rows {
      let values = part(row)
      let start = order.weight(before: row)
      guard let changes = try? ListDifference.changes(from: shown[Int(row)], to: values) else {
        return giveUp()
      }
      for var change in changes {
        change.indexes = change.indexes.map { $0 + start }
        emit(.change(change))
      }
      keep(values, of: row)
    }
  }

  private func keep(_ values: [Value], of row: RowOrder.Row) {
    while shown.count <= Int(row) { shown.append([]) }
    shown[Int(row)] = values
    order.setWeight(values.count, of: row)
  }
}
