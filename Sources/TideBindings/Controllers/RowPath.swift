import TideGraph

/// What rows are compared or grouped by: what a path leads to from each of them.
package final class RowPath {
  private let steps: [PathStep]
  /// Makes of a row without properties what the error says.
  private let refusal: (Value) -> TideError
  private let held: HeldText?

  /// Throws `syntax` when the text is not a path.
  /// - Parameter table: where it counts as memory that an app holds; nil: nowhere.
  package init(
    _ text: String, in table: BindingTable?, refusal: @escaping (Value) -> TideError
  ) throws(TideError) {
    steps = try Path(text).steps
    self.refusal = refusal
    // The text itself may be in the message.
    held = table?.hold(2 * text.utf8.count)
  }

  package func key(of row: Value) throws -> Value {
    guard case .object(let object as DataObject) = row else { throw refusal(row) }
    return try PathReader.read(steps[...], from: object).value
  }
}
