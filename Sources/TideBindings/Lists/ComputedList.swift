package import TideGraph

/// A list whose elements a function gives: it follows what the function reads, by the smallest edit.
///
/// The same list at all times, so that whoever shows it sees rows come and go.
package final class ComputedList: LiveList {
  private let elements: () -> [Value]

  package init(_ elements: @escaping () -> [Value]) {
    self.elements = elements
    super.init()
  }

  override func catchUp() -> Bool {
    let changes = ListDifference.changes(
      from: storage.elements(in: 0..<storage.count), to: elements())
    for change in changes { perform(.change(change)) }
    return !changes.isEmpty
  }
}

/// A list that never changes.
final class FrozenList: ValueList {
  override var isReadOnly: Bool { true }
}
