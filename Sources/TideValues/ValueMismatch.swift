/// The reason why a value does not fit a Swift type.
///
/// ```swift
/// do { _ = try Double.from("twelve") } catch let error as ValueMismatch {
///   print(error)   // number expected, got string
/// }
/// ```
///
/// A function with typed parameters reports it in Lua's wording, "bad argument #2 to 'resize'
/// (number expected, got string)"; a call with typed results as "bad result #1 (…)"; a property as
/// an error with the code `wrongType`.
public struct ValueMismatch: Error, Equatable, CustomStringConvertible {
  private enum Reason: Equatable {
    case expected(String)
    case unsuitable(String)
  }

  private let reason: Reason
  // The name of the actual value, because the error does not carry the value itself.
  private let found: String

  private init(_ reason: Reason, found: String) {
    self.reason = reason
    self.found = found
  }

  /// The value is not of the type `type`, which is Lua's name of the expected type: `"number"`.
  public static func expected(_ type: String, got value: Value) -> ValueMismatch {
    ValueMismatch(.expected(type), found: value.kindName)
  }

  /// The value is of the right type but not acceptable: `"number is out of range"`.
  public static func unsuitable(_ why: String) -> ValueMismatch {
    ValueMismatch(.unsuitable(why), found: "")
  }

  /// The reason in Lua's wording, as in "number expected, got string".
  public var description: String { description(of: found) }

  /// The reason, with another name for the value: "no value" for a missing argument.
  package func description(of found: String) -> String {
    switch reason {
    case .expected(let type) where type == found: "this \(type) has been disposed of"
    case .expected(let type): "\(type) expected, got \(found)"
    case .unsuitable(let why): why
    }
  }

  /// The same mismatch, located inside a larger value.
  package func inside(_ location: String) -> ValueMismatch {
    .unsuitable("\(location): \(description)")
  }

  /// The reason for a conversion's error; nil if the error is not about the value, as for a closed
  /// state, exhausted memory or a budget.
  ///
  /// - Parameter found: The name of the value in messages.
  package static func reason(_ error: any Error, of found: String? = nil) -> String? {
    switch error {
    case let error as ValueMismatch: found.map(error.description(of:)) ?? error.description
    case let error as DecodingError: error.valueDescription
    default: nil
    }
  }
}

extension Value {
  /// Lua's name for this kind of value.
  package var kindName: String {
    switch self {
    case .null: "nil"
    case .boolean: "boolean"
    case .integer, .number: "number"
    case .string, .bytes: "string"
    case .object(let object):
      (object as? any NamedKind)?.kindName ?? (object is any ElementSource ? "table" : "userdata")
    }
  }
}

/// Work was abandoned because its turn has no time or memory left.
///
/// ```swift
/// do { try ListController().selectAll() } catch is WorkError { print("the turn is over") }
/// ```
///
/// Edits and selections that process many rows throw it unchanged; elsewhere it is a `TideError`
/// with the code `scriptTime` or `scriptMemory`.
public enum WorkError: Error {
  /// The turn has lasted too long.
  case time
  /// The memory budget is exhausted.
  case memory
}
