import TideGraph
package import TideValues

/// A list whose elements a function returns. It follows the function's reads with the smallest
/// edits.
///
/// It is always the same list, so that its observers see rows being inserted and removed.
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

  /// - Parameter reason: the error message for edits, which tells what to edit instead.
  package init(
    _ values: [Value] = [],
    reason: String = "this list follows another one; change that one"
  ) {
    self.reason = reason
    super.init(values, shape: Self.listShape)
  }
}
