import TideGraph
package import TideValues

/// Mirrors whichever list a function returns. The following list itself is always the same list.
///
///     content ─▶ filtered ─▶ sorted ─▶ following ─▶ views, selection
///
/// An edit of the followed list is the same edit here. When the function returns another list, the
/// contents change by the smallest edits, in one wave.
///
/// A row that a user is editing keeps its position, whatever the followed list does with it, while
/// the underlying source has it. When the edit ends, the row moves to its own position or is
/// removed.
package final class FollowingList: LiveList, ListFollower {
  /// The controller whose rows these are, if any.
  package internal(set) var controller: ObjectHandle?
  /// Whether rows that are being edited keep their positions: those of its controller, or all rows
  /// without a controller.
  package final var holdsEditedRows = true
  private let provider: () -> ValueList?
  /// Whether a new order is reported as one replacement, in place of many moves.
  private let mergesMoves: Bool
  private var current: ValueList?
  // Unchecked for speed, as `ValueList.storage`: a script's function never runs during a change.
  @exclusivity(unchecked) private var pending = WaitingEdits<Edit>()
  @exclusivity(unchecked) private var needsRebuild = true
  private var isBuilt = false
  /// The rows that keep their positions; nil while none are edited.
  @exclusivity(unchecked) private var held: HeldRows?
  /// Whether a row that the followed list lacks is in a list from which the followed list was made.
  private var leavesOut: ((Value) -> Bool)?
  /// Notified of edits while they are made.
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
        // The edits made so far are reported when the rest has been found by comparing.
        needsRebuild = true
        throw error
      }
      guard held != nil else {
        tell(edit)
        continue
      }
      guard held?.isFollowed == true, let shown = held?.follow(edit, { storage[$0] }) else {
        // The followed list contains the pending edits already.
        return try rebuild()
      }
      for edit in shown { tell(edit) }
    }
  }

  /// Makes the next evaluation rearrange the rows, even if they stay as they are.
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

  /// Starts to hold rows that are being edited, or updates which rows are held after users have
  /// begun or ended edits.
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

  /// Releases rows that are no longer edited to their own positions, and drops rows that are gone.
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

  /// Takes over the held rows of a list that this one replaces. It must be rearranged afterwards.
  /// Returns whether there are rows to hold.
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

  /// Holds the rows of a list that a function has returned before, and that this list replaces.
  /// Returns whether there are any.
  ///
  /// - Parameter conceals: whether a row that the function leaves out is in a list that it has
  ///   read.
  package func holdRows(shownBy former: ValueList, _ conceals: @escaping (Value) -> Bool) -> Bool {
    guard let keys = BindingTable.of(graph).editedRecords?.rows(heldBy: nil) else { return false }
    let rows = HeldRows(keys, in: former.storage)
    if rows.shown.isEmpty { return false }
    held = rows
    needsRebuild = true
    leavesOut = conceals
    return true
  }

  /// The position of a row in the list that is followed; nil if that list lacks the row.
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

/// Follows a list while it is edited. Implementations must not touch the graph.
protocol FollowingWitness: AnyObject {
  /// Called for each edit, with the elements that it removed, replaced or moved.
  func note(_ edit: ValueList.Edit, _ old: [Value])
  /// Called before all rows are rearranged. Throws, with everything unchanged, if the running turn
  /// has no time to follow that.
  func willRearrange(_ old: [Value], to new: [Value]) throws(WorkError)
  func didRearrange()
}
