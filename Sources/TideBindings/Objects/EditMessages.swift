import TideGraph
package import TideValues

/// An app's own words for people who enter what a property cannot hold.
package struct EditMessages: Sendable {
  /// For nothing, where something has to be entered.
  package var required: Text?
  /// For what cannot be read as a value of the property, or is none that the control takes.
  package var invalid: Text?
  /// For all that has no words of its own.
  package var message: Text?

  /// Asked at each error, so that it may follow the language.
  package typealias Text = @Sendable (Value) throws -> String

  package init() {}

  package var isEmpty: Bool { required == nil && invalid == nil && message == nil }

  /// The words for an error; nil where the app has none. What a validator says counts more than
  /// what is said of everything.
  func text(for value: Value, _ error: TideError) -> String? {
    do { return try words(for: value, error) } catch { return "\(error)" }
  }

  /// The same; throws what goes wrong in the app's own function.
  ///
  /// - Parameter isOfControl: whether the control has refused it, such as by its `maximum`, and not
  ///   the model.
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

/// The cause of an error about a number that a property cannot hold, in words for people, which
/// `strings` may translate.
enum NumberFault: String, Error {
  case tooLarge = "This number is too large"
}

/// The cause of a refusal for which the validator has no words.
package struct WordlessRefusal: Error {
  package init() {}
}

extension TideError {
  /// Whether a validator has said what is wrong.
  fileprivate var saysWhy: Bool { !(cause is WordlessRefusal) }
}

extension Value {
  /// Whether nothing was entered.
  fileprivate var isBlank: Bool {
    switch self {
    case .null: true
    case .string(let text): text.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    default: false
    }
  }
}
