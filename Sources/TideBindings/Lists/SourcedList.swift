import TideGraph

/// A list whose elements come from elsewhere, as the rows of a query do: scripts read it, and what
/// fills it makes the edits.
///
/// ```swift
/// let rows = SourcedList(refusal: "this list follows a query; change the rows of the database")
/// try rows.show([.string("first")])
/// ```
///
/// `error` says why it is not up to date, `loading` whether it will be.
package final class SourcedList: ValueList {
  private let text: String
  private var isShowing = false

  private static let sourcedShape = Shape(
    name: "query",
    properties: [
      PropertyDescription("error", .string, isReadOnly: true),
      PropertyDescription("loading", .boolean, initial: .boolean(false), isReadOnly: true),
    ], superclass: listShape)

  /// - Parameter refusal: what scripts are told that edit it.
  package init(refusal: String) {
    text = refusal
    super.init([], shape: Self.sourcedShape)
  }

  override package var isReadOnly: Bool { !isShowing }
  override package var refusal: String { text }

  /// Makes the contents those of an array by the smallest edit.
  package func show(_ values: [Value]) throws(TideError) {
    isShowing = true
    defer { isShowing = false }
    try set(values)
  }

  /// Says why the elements are not those of now; nil when they are.
  package func note(_ error: TideError?) {
    put("error", error.map { .string($0.message) } ?? .null)
  }

  package func setLoading(_ isLoading: Bool) { put("loading", .boolean(isLoading)) }

  private func put(_ name: String, _ value: Value) {
    guard let slot = slot(named: name) else { return }
    _ = graph.write(slot, value)
  }
}
