package import TideGraph

/// A list whose elements a function gives: it follows what the function reads, by the smallest edit.
///
/// The same list at all times, so that whoever shows it sees rows come and go.
package final class ComputedList: ValueList {
  private let elements: () -> [Value]

  package init(_ elements: @escaping () -> [Value]) {
    self.elements = elements
    super.init([], shape: Self.listShape)
    graph.derive(versionSlot, by: Body(self))
  }

  package override var isReadOnly: Bool { true }

  fileprivate func catchUp() -> Bool {
    let changes = ListDifference.changes(
      from: storage.elements(in: 0..<storage.count), to: elements())
    for change in changes { perform(.change(change)) }
    return !changes.isEmpty
  }

  private final class Body: ComputedBody {
    private weak var list: ComputedList?

    init(_ list: ComputedList) { self.list = list }

    override func evaluate(_ slot: Slot) throws -> Bool {
      guard let list, list.catchUp() else { return false }
      return Int.store(Int.load(slot) &+ 1, in: slot)
    }
  }
}

/// A list that never changes.
final class FrozenList: ValueList {
  override var isReadOnly: Bool { true }
}
