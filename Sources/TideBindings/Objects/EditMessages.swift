import TideGraph
package import TideValues

/// An app's messages for users who enter a value that a property cannot hold.
package struct EditMessages: Sendable {
  /// For empty input where a value is required.
  package var required: Text?
  /// For input that cannot be converted to the property's type, or that the control rejects.
  package var invalid: Text?
  /// For every error without a message of its own.
  package var message: Text?

  /// Called at each error, so that the message may follow the language.
  package typealias Text = @Sendable (Value) throws -> String

  package init() {}

  package var isEmpty: Bool { required == nil && invalid == nil && message == nil }

  /// The message for an error; nil if the app has none. A validator's message takes precedence over
  /// the general one.
  func text(for value: Value, _ error: TideError) -> String? {
    do { return try words(for: value, error) } catch { return "\(error)" }
  }

  /// Like `text(for:_:)`, but throws the error of the app's own function.
  ///
  /// - Parameter isOfControl: whether the control has rejected the input, such as by its `maximum`,
  ///   and not the model.
  func words(
    for value: Value, _ error: TideError, isOfControl: Bool = false
  ) throws -> String? {
    let text: Text?
    if value.isBlank, let required {
      text = required
    } else if error.code == .refused && isOfControl {
      text = invalid
    } else if error.code == .refused {
      text = error.saysWhy ? nil : message
    } else {
      text = invalid ?? message
    }
    return try text?(value)
  }
}

/// The cause of an error about a number that a property cannot hold, as a message for users.
/// `strings` may translate it.
enum NumberFault: String, Error {
  case tooLarge = "This number is too large"
}

/// The cause of a refusal without a message from the validator.
package struct WordlessRefusal: Error {
  package init() {}
}

extension TideError {
  /// Whether a validator has given a message.
  fileprivate var saysWhy: Bool { !(cause is WordlessRefusal) }
}

extension Value {
  /// Whether the input is empty or blank.
  fileprivate var isBlank: Bool {
    switch self {
    case .null: true
    case .string(let text): text.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    default: false
    }
  }
}
