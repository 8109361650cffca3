import TideGraph

/// A list whose elements come from elsewhere, such as the rows of a query. Scripts read it; its
/// source makes the edits.
///
/// ```swift
/// let rows = SourcedList(refusal: "this list follows a query; change the rows of the database")
/// try rows.show([.string("first")])
/// ```
///
/// `error` tells why it is not up to date, `loading` whether it will be.
package final class SourcedList: ValueList {
  private let text: String
  private var isShowing = false

  private static let sourcedShape = Shape(
    name: "query",
    properties: [
      PropertyDescription("error", .string, isReadOnly: true),
      PropertyDescription("loading", .boolean, initial: .boolean(false), isReadOnly: true),
    ], superclass: listShape)

  /// - Parameter refusal: the error message for scripts that edit it.
  package init(refusal: String) {
    text = refusal
    super.init([], shape: Self.sourcedShape)
  }

  override package var isReadOnly: Bool { !isShowing }
  override package var refusal: String { text }

  /// Sets the contents to those of an array by the smallest edits.
  package func show(_ values: [Value]) throws(TideError) {
    isShowing = true
    defer { isShowing = false }
    try set(values)
  }

  /// Sets the reason why the elements are not up to date; nil if they are.
  package func note(_ error: TideError?) {
    put("error", error.map { .string($0.message) } ?? .null)
  }

  package func setLoading(_ isLoading: Bool) { put("loading", .boolean(isLoading)) }

  private func put(_ name: String, _ value: Value) {
    guard let slot = slot(named: name) else { return }
    _ = graph.write(slot, value)
  }
}
