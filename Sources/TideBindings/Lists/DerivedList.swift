package import TideGraph

/// A list that follows another one, row by row: filtered, sorted or mapped.
///
/// It records the source's edits as they happen. It applies them when it is read, or in the same
/// wave if an effect or observer depends on it; inside a batch a read is up to date. A function
/// that reads properties is called again for a row when one of them changes. Each edit of the
/// source costs a few comparisons, without a scan of the list.
package class DerivedList: LiveList, ListFollower {
  // Retained manually for `ChainedRelease`: lists may be derived from each other to any depth.
  private let held: Unmanaged<ValueList>
  final let rows: RowTable
  // Unchecked for speed, as `ValueList.storage`: a script's function never runs during a change.
  /// All rows in the source's order.
  @exclusivity(unchecked) final var order = RowOrder()
  @exclusivity(unchecked) private var pending = WaitingEdits<Edit>()
  @exclusivity(unchecked) private var following = WaitingEdits<Edit>()
  @exclusivity(unchecked) private var needsRebuild = true
  /// The row whose changed result led to the last edit; nil if an edit of the source did.
  @exclusivity(unchecked) private var movedRow: RowOrder.Row?
  private var isGivenUp = false

  init(_ source: ValueList, _ function: @escaping RowTable.Function) {
    held = Unmanaged.passRetained(source)
    rows = RowTable(source.graph, function)
    super.init()
    source.add(self)
  }

  deinit {
    rows.release()
    ChainedRelease.release(held)
  }

  package final var source: ValueList { held._withUnsafeGuaranteedRef { $0 } }

  /// Adds the memory of the elements, and of the rows of the source.
  package final override func addHeld(to meter: inout MemoryMeter) {
    super.addHeld(to: &meter)
    meter.add(Self.emptyWeight + rows.values.count * Self.rowWeight)
  }

  /// The size in bytes of the tables without rows, and of the source's follower.
  package static var emptyWeight: Int { 1600 }

  /// The size in bytes of a row: two values, its positions in two orders, and its node.
  package static var rowWeight: Int { 200 }

  package override func conceals(_ value: Value) -> Bool { source.conceals(value) }

  package final override func trackConcealed() { source.trackConcealed() }

  /// The purpose of the function, such as `filter`.
  var shortPurpose: String { Self.plain }
  /// The purpose in errors.
  final var purpose: String { "\(shortPurpose) of a list" }

  /// The purpose of a list that mirrors its source.
  static var plain: String { "list" }

  /// The node of the row whose changed result led to the last edit; nil if an edit of the source
  /// did.
  final var nodeOfLastEdit: Slot? { movedRow.flatMap(rows.node) }

  /// Names the owner of the function in errors.
  package final func nameFailures(_ name: @escaping () -> String) { rows.nameFailures(name) }

  // MARK: Overrides

  /// Reads the inputs of the arrangement other than the function. Returns whether any of them has
  /// changed.
  func takeOtherRules() -> Bool { false }
  /// Arranges all rows, and returns the elements.
  func arrange() throws(WorkError) -> [Value] { [] }
  /// Called after a row was inserted in the source's order.
  func added(_ row: RowOrder.Row) {}
  /// Called before a row is removed from the source's order.
  func willRemove(_ row: RowOrder.Row) {}
  /// Calls `move`, which moves a row within the source's order.
  func moved(_ row: RowOrder.Row, _ move: () -> Void) { move() }
  /// Calls `replace`, which replaces a row that is still in the source's order by another one.
  func replaced(_ old: RowOrder.Row, by new: RowOrder.Row, _ replace: () -> Void) {
    willRemove(old)
    replace()
    added(new)
  }
  /// Called when the function's results for these rows have changed.
  func changed(_ rows: [RowOrder.Row]) {}

  /// Like `moved`, for a list that shows the flagged rows.
  final func moveFlagged(_ row: RowOrder.Row, _ move: () -> Void) {
    guard order.isFlagged(row) else { return move() }
    let from = order.flaggedCount(before: row)
    move()
    order.setFlag(true, of: row)
    let to = order.flaggedCount(before: row)
    if from != to { emit(.move(from: from, to: to)) }
  }

  /// Reports that the turn had no time or memory left to follow a change: everything is arranged
  /// again later.
  final func giveUp() { isGivenUp = true }

  // MARK: Following

  package final func list(_ list: ValueList, did edit: Edit, to old: [Value]) {
    if needsRebuild { return }
    needsRebuild = !pending.add(edit, weight: edit.weight, among: storage.count)
  }

  final override func catchUp() throws(WorkError) {
    source.beginReading()
    rows.track()
    if takeOtherRules() { needsRebuild = true }
    do throws(WorkError) {
      if needsRebuild {
        try rebuild()
      } else {
        try followPending()
      }
      // A function may edit the list that is followed. A function that does so forever is stopped
      // by the time budget.
      var rounds = 0
      while !pending.isEmpty && !needsRebuild && rounds < 100 {
        rounds += 1
        try followPending()
      }
    } catch {
      // Partial work is redone at the next try.
      needsRebuild = true
      pending.clear()
      following.clear()
      rows.trackNew()
      throw error
    }
    rows.trackNew()
    rows.listFailures(order, of: purpose)
  }

  private func followPending() throws(WorkError) {
    swap(&pending, &following)
    // First, because the results of the rows are new already, while their order is the former one.
    let changedRows = rows.takeChanged()
    if !following.isEmpty { movedRow = nil }
    if !changedRows.isEmpty {
      let hadChanged = hasChanged
      changed(changedRows)
      if hasChanged, !hadChanged, following.isEmpty { movedRow = changedRows.first }
    }
    if isGivenUp {
      isGivenUp = false
      throw .time
    }
    for edit in following.edits { try follow(edit) }
    following.clear()
  }

  private func rebuild() throws(WorkError) {
    needsRebuild = false
    movedRow = nil
    pending.clear()
    for row in order { rows.dispose(row) }
    order = RowOrder()
    let values = graph.untracked { source.values }
    order = RowOrder(try rows.make(values))
    _ = rows.takeChanged()
    let changes = try ListDifference.changes(
      from: storage.elements(in: 0..<storage.count), to: arrange())
    for change in changes { emit(.change(change)) }
  }

  private func follow(_ edit: Edit) throws(WorkError) {
    var clock = WorkClock()
    switch edit {
    case .insert(let values, let position):
      for (offset, value) in values.enumerated() {
        try clock.step()
        follow(inserting: value, at: position + offset)
      }
    case .remove(let range):
      for position in range.reversed() {
        try clock.step()
        follow(removingAt: position)
      }
    case .replace(let value, let position):
      follow(replacingAt: position, with: value)
    case .move(let from, let to):
      follow(movingFrom: from, to: to)
    case .change(let change):
      let edits = zip(change.indexes, change.objects)
      switch change.kind {
      case .insertion:
        for (index, value) in edits {
          try clock.step()
          follow(inserting: value, at: index)
        }
      case .removal:
        for index in change.indexes.reversed() {
          try clock.step()
          follow(removingAt: index)
        }
      case .replacement:
        for (index, value) in edits {
          try clock.step()
          follow(replacingAt: index, with: value)
        }
      case .move: follow(movingFrom: change.indexes[0], to: change.indexes[1])
      }
    }
  }

  private func follow(inserting value: Value, at position: Int) {
    let row = rows.make(value)
    order.insert(row, at: position)
    added(row)
  }

  private func follow(removingAt position: Int) {
    willRemove(order[position])
    rows.dispose(order.remove(at: position))
  }

  private func follow(replacingAt position: Int, with value: Value) {
    let old = order[position]
    let new = rows.make(value)
    replaced(old, by: new) {
      order.remove(at: position)
      order.insert(new, at: position)
    }
    rows.dispose(old)
  }

  private func follow(movingFrom from: Int, to: Int) {
    let row = order[from]
    moved(row) {
      order.remove(at: from)
      order.insert(row, at: to)
    }
    rows.noteMove(of: row)
  }
}
