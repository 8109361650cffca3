import TideGraph

/// The elements of another list without repetitions, in the order of their first occurrences.
///
/// The first of several equal rows is flagged, so the number of flags before a row is its position.
final class DistinctList: DerivedList, ListSummary {
  private let collected: any ListSummary
  private var groups: [ContentKey: Group] = [:]

  /// Equal rows, in order.
  private final class Group {
    var rows: ChunkedArray<RowOrder.Row>

    init(_ rows: [RowOrder.Row]) { self.rows = ChunkedArray(rows) }
  }

  init(_ collected: any ListSummary) {
    self.collected = collected
    super.init(collected) { value, _ in value }
  }

  var summarized: ValueList { collected.summarized }

  func result() throws -> Value {
    _ = try collected.result()
    beginReading()
    return .object(self)
  }

  override func arrange() throws(WorkError) -> [Value] {
    var clock = WorkClock()
    var rowsByKey: [ContentKey: [RowOrder.Row]] = [:]
    var first: [Value] = []
    for row in order {
      try clock.step()
      let key = key(of: row)
      if rowsByKey[key] == nil {
        first.append(key.value)
        order.setFlag(true, of: row)
      }
      rowsByKey[key, default: []].append(row)
    }
    groups = rowsByKey.mapValues { Group($0) }
    return first
  }

  override func added(_ row: RowOrder.Row) {
    let key = key(of: row)
    if let group = groups[key] { return rearrange(group) { add(row, to: group) } }
    groups[key] = Group([row])
    order.setFlag(true, of: row)
    emit(.insert([key.value], at: order.flaggedCount(before: row)))
  }

  override func willRemove(_ row: RowOrder.Row) {
    let key = key(of: row)
    guard let group = groups[key] else { return }
    if group.rows.count > 1 { return rearrange(group) { take(row, from: group) } }
    let position = order.flaggedCount(before: row)
    groups[key] = nil
    order.setFlag(false, of: row)
    emit(.remove(position..<position + 1))
  }

  override func moved(_ row: RowOrder.Row, _ move: () -> Void) {
    guard let group = groups[key(of: row)] else { return move() }
    rearrange(group) {
      take(row, from: group)
      move()
      add(row, to: group)
    }
  }

  private func key(of row: RowOrder.Row) -> ContentKey { ContentKey(rows.values[Int(row)]) }

  /// Changes the rows of a group. Another row may be the first of them afterwards.
  private func rearrange(_ group: Group, _ change: () -> Void) {
    let old = group.rows[0]
    let from = order.flaggedCount(before: old)
    order.setFlag(false, of: old)
    change()
    let new = group.rows[0]
    order.setFlag(true, of: new)
    let to = order.flaggedCount(before: new)
    if from != to { emit(.move(from: from, to: to)) }
  }

  private func add(_ row: RowOrder.Row, to group: Group) {
    group.rows.insert(row, at: position(of: row, in: group))
  }

  private func take(_ row: RowOrder.Row, from group: Group) {
    group.rows.remove(at: position(of: row, in: group))
  }

  /// The position of a row among its equals, or the position at which it belongs.
  private func position(of row: RowOrder.Row, in group: Group) -> Int {
    let position = order.position(of: row)
    var (low, high) = (0, group.rows.count)
    while low < high {
      let middle = (low + high) / 2
      if order.position(of: group.rows[middle]) < position {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
