import TideGraph
package import TideValues

/// The elements of whichever list a function gives: the same list at all times, whatever it
/// follows.
///
///     content ─▶ filtered ─▶ sorted ─▶ following ─▶ views, selection
///
/// An edit of the list that is followed is the same edit here. When the function gives another
/// list, the contents change by the smallest edit, in one wave.
///
/// A row that a person is editing stays where it is, whatever the followed list does with it, as
/// long as the list that this one comes from has it. When the edit ends, the row goes where it
/// belongs, or leaves.
package final class FollowingList: LiveList, ListFollower {
  /// The controller whose rows these are, if any.
  package internal(set) var controller: ObjectHandle?
  /// Whether rows that are being edited stay; those of its controller, or of all without one.
  package final var holdsEditedRows = true
  private let provider: () -> ValueList?
  /// Report another order as one replacement, in place of many moves.
  private let mergesMoves: Bool
  private var current: ValueList?
  // Unchecked for speed, as `ValueList.storage`: a script's function never runs during a change.
  @exclusivity(unchecked) private var pending = WaitingEdits<Edit>()
  @exclusivity(unchecked) private var needsRebuild = true
  private var isBuilt = false
  /// The rows that stay; nil while nobody edits any.
  @exclusivity(unchecked) private var held: HeldRows?
  /// Whether a row that the followed list does not have is in one of which that was made.
  private var leavesOut: ((Value) -> Bool)?
  /// Told of edits while they are made.
  weak var witness: (any FollowingWitness)?

  package init(mergesMoves: Bool = false, _ provider: @escaping () -> ValueList?) {
    self.provider = provider
    self.mergesMoves = mergesMoves
    super.init()
  }

  deinit { ChainedRelease.release(&current, leaving: nil) }

  package func list(_ list: ValueList, did edit: Edit, to old: [Value]) {
    if needsRebuild { return }
    needsRebuild = !pending.add(edit, weight: edit.weight, among: storage.count)
  }

  override func catchUp() throws(WorkError) {
    let next = provider()
    if next !== current {
      current?.remove(self)
      next?.add(self)
      current = next
      needsRebuild = true
    }
    current?.beginReading()
    if held != nil || BindingTable.of(graph).editedRecords != nil { holdRows() }
    if needsRebuild {
      try rebuild()
    } else {
      try followPending()
    }
    if held != nil { settleHeld() }
  }

  private func followPending() throws(WorkError) {
    var clock = WorkClock()
    for edit in pending.take() {
      do {
        try clock.step()
      } catch {
        // Those that were made are told of when the rest is found by comparing.
        needsRebuild = true
        throw error
      }
      guard held != nil else {
        tell(edit)
        continue
      }
      guard held?.isFollowed == true, let shown = held?.follow(edit, { storage[$0] }) else {
        // The edits that wait are in what the followed list holds.
        return try rebuild()
      }
      for edit in shown { tell(edit) }
    }
  }

  /// Has the rows arranged anew when the list is evaluated, also where they stay as they are.
  func rebuildNext() { needsRebuild = true }

  private func tell(_ edit: Edit) {
    let old = emit(edit)
    witness?.note(edit, old)
  }

  private func rebuild() throws(WorkError) {
    pending.clear()
    let old = storage.elements(in: 0..<storage.count)
    var new = graph.untracked { current?.values ?? [] }
    if held != nil { new = held?.arrange(new) ?? new }
    var changes = try ListDifference.changes(from: old, to: new)
    try witness?.willRearrange(old, to: new)
    needsRebuild = false
    isBuilt = true
    if mergesMoves, changes.count > 1, old.count == new.count {
      changes = [Self.replacement(of: old, by: new)]
    }
    for change in changes { emit(.change(change)) }
    witness?.didRearrange()
  }

  // MARK: Rows that are being edited

  /// Begins to hold rows that are being edited, and goes on with others when people begin or end
  /// other edits meanwhile.
  private func holdRows() {
    guard holdsEditedRows, isBuilt, let edits = BindingTable.of(graph).editedRecords,
      let keys = edits.rows(heldBy: controller?.object)
    else { return }
    if let rows = held {
      if keys == rows.keys { return }
      held = HeldRows(keys, in: storage)
      needsRebuild = true
      return
    }
    guard needsRebuild || !pending.isEmpty else { return }
    let rows = HeldRows(keys, in: storage)
    if !rows.shown.isEmpty || current.map(edits.concerns) ?? false { held = rows }
  }

  /// Puts the rows that nobody edits any more where they belong, and lets go of those that are
  /// gone.
  private func settleHeld() {
    guard let rows = held else { return }
    let edits = BindingTable.of(graph).editedRecords
    guard holdsEditedRows, let keys = edits?.rows(heldBy: controller?.object), keys == rows.keys
    else {
      held = nil
      for edit in rows.release(to: current?.storage ?? ChunkedArray()) { tell(edit) }
      return
    }
    if rows.source.count >= rows.shown.count || edits?.isTryingReload == true { return }
    let there = Set(rows.source.compactMap { current?.storage[$0] }.map(ContentKey.init))
    let gone = Set(
      rows.values.filter { !there.contains(ContentKey($0)) && !conceals($0) }.map(ContentKey.init))
    // The source does not report the removal of a row that it filters out.
    if gone.count < rows.shown.count - rows.source.count { current?.trackConcealed() }
    if gone.isEmpty { return }
    for value in gone { edits?.lose(value.value) }
    for position in (held?.drop { gone.contains(ContentKey($0)) } ?? []).reversed() {
      tell(.remove(position..<position + 1))
    }
  }

  /// Holds the rows that another list does, which this one takes the place of. It must be arranged
  /// anew thereafter; true where it has rows to hold.
  @discardableResult
  package func holdRows(of former: FollowingList) -> Bool {
    guard holdsEditedRows else { return false }
    let keys = BindingTable.of(graph).editedRecords?.rows(heldBy: former.controller?.object)
    guard let rows = former.held ?? keys.map({ HeldRows($0, in: former.storage) }) else {
      return false
    }
    held = rows
    needsRebuild = true
    return true
  }

  /// Holds the rows of a list that a function has given before, and of which it has made this one
  /// anew; true where there are any.
  ///
  /// - Parameter conceals: whether a row that the function leaves out is in a list that it has read.
  package func holdRows(shownBy former: ValueList, _ conceals: @escaping (Value) -> Bool) -> Bool {
    guard let keys = BindingTable.of(graph).editedRecords?.rows(heldBy: nil) else { return false }
    let rows = HeldRows(keys, in: former.storage)
    if rows.shown.isEmpty { return false }
    held = rows
    needsRebuild = true
    leavesOut = conceals
    return true
  }

  /// Where a row stands in the list that is followed; nil for one that it has not.
  func sourcePosition(of position: Int) -> Int? {
    guard let held else { return position }
    if let found = held.sourceIndex(ofShown: position) { return found }
    return graph.untracked { current?.index(of: storage[position]) }
  }

  package override func conceals(_ value: Value) -> Bool {
    current?.conceals(value) == true || leavesOut?(value) == true
  }

  package override func trackConcealed() { current?.trackConcealed() }

  private static func replacement(of old: [Value], by new: [Value]) -> ListChange {
    let indexes = new.indices.filter { old[$0] != new[$0] }
    return ListChange(
      .replacement, indexes, indexes.map { new[$0] }, replaced: indexes.map { old[$0] })
  }
}

/// Keeps something in step with a list while it is edited: nothing of the graph may be touched.
protocol FollowingWitness: AnyObject {
  /// An edit was made, and what it removed, replaced or moved.
  func note(_ edit: ValueList.Edit, _ old: [Value])
  /// All rows are about to be arranged anew; throws, with everything as it was, where the turn that
  /// runs has no time to follow that.
  func willRearrange(_ old: [Value], to new: [Value]) throws(WorkError)
  func didRearrange()
}
