import TideGraph

/// A list that follows another one, row by row: filtered, sorted or mapped.
///
/// It notes the source's edits as they happen, and follows them when it is read or when something
/// that acts depends on it, in the same wave; inside a batch it reads fresh. A function that reads
/// properties is called again for a row when one of them changes. Each edit of the source costs a
/// few comparisons and no walk over the list.
package class DerivedList: ValueList, ListFollower {
  package final let source: ValueList
  final let rows: RowTable
  /// All rows in the source's order.
  final var order = RowOrder()
  private var pending: [ListChange] = []
  private var needsRebuild = true
  private var isChanged = false

  init(_ source: ValueList, _ function: @escaping (Value) throws -> Value) {
    self.source = source
    rows = RowTable(source.graph, function)
    super.init([])
    graph.derive(versionSlot, by: DerivedListBody(self))
    source.add(self)
  }

  package final override var isReadOnly: Bool { true }

  // MARK: What a subclass does

  /// Arranges all rows anew; gives the elements.
  func arrange() -> [Value] { [] }
  /// A row has been put in the source's order.
  func added(_ row: RowOrder.Row) {}
  /// A row is about to be taken out of the source's order.
  func willRemove(_ row: RowOrder.Row) {}
  /// A row is taken out of one place in the source's order and put in at another.
  func moved(_ row: RowOrder.Row, _ move: () -> Void) { move() }
  /// A row takes the place of another, which is still in the source's order.
  func replaced(_ old: RowOrder.Row, by new: RowOrder.Row, _ replace: () -> Void) {
    willRemove(old)
    replace()
    added(new)
  }
  /// The function gives something else for these rows.
  func changed(_ rows: [RowOrder.Row]) {}

  /// Makes one edit of this list's contents and tells its followers.
  final func emit(_ edit: Edit) {
    perform(edit)
    isChanged = true
  }

  // MARK: Following

  package final func list(_ list: ValueList, didChange change: ListChange) {
    if needsRebuild { return }
    // A list that nobody reads does not gather edits without end.
    if pending.count > 1000 + storage.count {
      pending = []
      needsRebuild = true
    } else {
      pending.append(change)
    }
  }

  /// Follows what has happened; true when the contents are different.
  fileprivate final func catchUp() -> Bool {
    isChanged = false
    source.beginReading()
    rows.track()
    if needsRebuild {
      rebuild()
    } else {
      let changes = pending
      pending = []
      for change in changes { follow(change) }
      let changedRows = rows.takeChanged()
      if !changedRows.isEmpty { changed(changedRows) }
    }
    return isChanged
  }

  private func rebuild() {
    needsRebuild = false
    pending = []
    for row in order { rows.dispose(row) }
    let values = graph.untracked { source.values }
    order = RowOrder(values.map { rows.make($0) })
    _ = rows.takeChanged()
    // New rows may have made groups.
    rows.track()
    let changes = ListDifference.changes(
      from: storage.elements(in: 0..<storage.count), to: arrange())
    for change in changes { emit(.change(change)) }
  }

  private func follow(_ change: ListChange) {
    switch change.kind {
    case .insertion:
      for (index, value) in zip(change.indexes, change.objects) {
        let row = rows.make(value)
        order.insert(row, at: index - 1)
        added(row)
      }
    case .removal:
      for index in change.indexes.reversed() {
        willRemove(order[index - 1])
        rows.dispose(order.remove(at: index - 1))
      }
    case .replacement:
      for (index, value) in zip(change.indexes, change.objects) {
        let old = order[index - 1]
        let new = rows.make(value)
        replaced(old, by: new) {
          order.remove(at: index - 1)
          order.insert(new, at: index - 1)
        }
        rows.dispose(old)
      }
    case .move:
      let row = order[change.indexes[0] - 1]
      moved(row) {
        order.remove(at: change.indexes[0] - 1)
        order.insert(row, at: change.indexes[1] - 1)
      }
    }
  }
}

private final class DerivedListBody: ComputedBody {
  private weak var list: DerivedList?

  init(_ list: DerivedList) { self.list = list }

  override func evaluate(_ slot: Slot) throws -> Bool {
    guard let list, list.catchUp() else { return false }
    return Int.store(Int.load(slot) &+ 1, in: slot)
  }
}
