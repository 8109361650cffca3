import TideGraph

/// A list that computes its contents from other lists or from what a function reads.
///
/// It is updated when it is read, and in the wave of the change if an effect or observer depends on
/// it. Scripts cannot edit it.
package class LiveList: ValueList {
  /// Whether the contents have changed since dependents were last notified. If a turn ends in the
  /// middle of an update, the changes made so far are reported with the later ones.
  // Unchecked for speed, as `ValueList.storage`: a script's function never runs during a change.
  @exclusivity(unchecked) private(set) final var hasChanged = false

  init() {
    super.init([], shape: Self.listShape)
    graph.derive(versionSlot, by: Body(self))
  }

  package final override var isReadOnly: Bool { true }

  /// Makes the edits that follow from changes elsewhere, by calling `emit`.
  ///
  /// Throws when the running turn has no time or memory left; a later turn then tries again.
  func catchUp() throws(WorkError) {}

  /// Makes one edit of this list's contents and notifies its followers. Returns the elements that
  /// it removed, replaced or moved.
  @discardableResult
  final func emit(_ edit: Edit) -> [Value] {
    hasChanged = true
    return perform(edit)
  }

  /// Marks that dependents of this list must be notified.
  final func markChanged() { hasChanged = true }

  private final class Body: ComputedBody {
    private weak var list: LiveList?

    init(_ list: LiveList) { self.list = list }

    override func evaluate(_ slot: Slot) throws -> Bool {
      guard let list else { return false }
      try list.catchUp()
      guard list.hasChanged else { return false }
      list.hasChanged = false
      return Int.store(Int.load(slot) &+ 1, in: slot)
    }
  }
}
