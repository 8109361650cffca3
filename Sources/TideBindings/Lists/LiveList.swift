import TideGraph

/// A list that finds its contents itself, from other lists or from what a function reads.
///
/// It is brought up to date when it is read, and, where something that acts depends on it, in the
/// wave of the change. Scripts cannot edit it.
package class LiveList: ValueList {
  /// Whether the contents have changed since those who depend on the list were told. A turn may end
  /// in the middle of following; what was changed until then counts with what comes after.
  // Unchecked for speed, as `ValueList.storage`: a script's function never runs during a change.
  @exclusivity(unchecked) private final var hasChanged = false

  init() {
    super.init([], shape: Self.listShape)
    graph.derive(versionSlot, by: Body(self))
  }

  package final override var isReadOnly: Bool { true }

  /// Makes the edits that follow from what has happened, by `emit`.
  ///
  /// Throws when the running turn has no time or memory left; a later turn then tries again.
  func catchUp() throws(WorkError) {}

  /// Makes one edit of this list's contents and tells its followers; gives what it took out.
  @discardableResult
  final func emit(_ edit: Edit) -> [Value] {
    hasChanged = true
    return perform(edit)
  }

  /// Says that something which follows this list must be told.
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
