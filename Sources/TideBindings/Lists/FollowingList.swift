import TideGraph
package import TideValues

/// The elements of whichever list a function gives: the same list at all times, whatever it
/// follows.
///
///     content ─▶ filtered ─▶ sorted ─▶ following ─▶ views, selection
///
/// An edit of the list that is followed is the same edit here. When the function gives another
/// list, the contents change by the smallest edit, in one wave.
package final class FollowingList: LiveList, ListFollower {
  /// The controller whose rows these are, if any.
  package internal(set) var controller: ObjectHandle?
  private let provider: () -> ValueList?
  /// Report another order as one replacement, in place of many moves.
  private let mergesMoves: Bool
  private var current: ValueList?
  // Unchecked for speed, as `ValueList.storage`: a script's function never runs during a change.
  @exclusivity(unchecked) private var pending = WaitingEdits<Edit>()
  @exclusivity(unchecked) private var needsRebuild = true
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
    if needsRebuild { return try rebuild() }
    var clock = WorkClock()
    for edit in pending.take() {
      do {
        try clock.step()
      } catch {
        // Those that were made are told of when the rest is found by comparing.
        needsRebuild = true
        throw error
      }
      let old = emit(edit)
      witness?.note(edit, old)
    }
  }

  private func rebuild() throws(WorkError) {
    pending.clear()
    let old = storage.elements(in: 0..<storage.count)
    let new = graph.untracked { current?.values ?? [] }
    var changes = try ListDifference.changes(from: old, to: new)
    try witness?.willRearrange(old, to: new)
    needsRebuild = false
    if mergesMoves, changes.count > 1, old.count == new.count {
      changes = [Self.replacement(of: old, by: new)]
    }
    for change in changes { emit(.change(change)) }
    witness?.didRearrange()
  }

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
