import TideGraph
package import TideValues

/// A list whose elements a function gives: it follows what the function reads, by the smallest
/// edit.
///
/// The same list at all times, so that whoever shows it sees rows come and go.
package final class ComputedList: LiveList {
  private let elements: () throws(WorkError) -> [Value]

  package init(_ elements: @escaping () throws(WorkError) -> [Value]) {
    self.elements = elements
    super.init()
  }

  override func catchUp() throws(WorkError) {
    let new = try elements()
    let changes = try ListDifference.changes(
      from: storage.elements(in: 0..<storage.count), to: new)
    for change in changes { emit(.change(change)) }
  }
}

/// A list that never changes.
package final class FrozenList: ValueList {
  package override var isReadOnly: Bool { true }
  package override var refusal: String { reason }
  private let reason: String

  /// The reason says how what it tells of is changed.
  package init(
    _ values: [Value] = [],
    reason: String = "this list follows another one; change that one"
  ) {
    self.reason = reason
    super.init(values, shape: Self.listShape)
  }
}
