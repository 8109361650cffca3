import TideGraph

/// A list that finds its contents itself, from other lists or from what a function reads.
///
/// It is brought up to date when it is read, and, where something that acts depends on it, in the
/// wave of the change. Scripts cannot edit it.
package class LiveList: ValueList {
  init() {
    super.init([], shape: Self.listShape)
    graph.derive(versionSlot, by: Body(self))
  }

  package final override var isReadOnly: Bool { true }

  /// Follows what has happened; true when the contents are different.
  ///
  /// Throws when the running turn has no time or memory left; a later turn then tries again.
  func catchUp() throws(WorkError) -> Bool { false }

  private final class Body: ComputedBody {
    private weak var list: LiveList?

    init(_ list: LiveList) { self.list = list }

    override func evaluate(_ slot: Slot) throws -> Bool {
      guard let list, try list.catchUp() else { return false }
      return Int.store(Int.load(slot) &+ 1, in: slot)
    }
  }
}
