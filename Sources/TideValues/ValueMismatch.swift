/// Why a value does not fit a Swift type.
///
/// ```swift
/// do { _ = try Double.from("twelve") } catch let error as ValueMismatch {
///   print(error)   // number expected, got string
/// }
/// ```
///
/// A function that takes typed arguments reports it in Lua's words, "bad argument #2 to 'resize'
/// (number expected, got string)"; a call with typed results as "bad result #1 (…)"; a property as
/// an error of code `wrongType`.
public struct ValueMismatch: Error, Equatable, CustomStringConvertible {
  private enum Reason: Equatable {
    case expected(String)
    case unsuitable(String)
  }

  private let reason: Reason
  // What there is instead, for an error that leaves without its value.
  private let found: String

  private init(_ reason: Reason, found: String) {
    self.reason = reason
    self.found = found
  }

  /// The value is of another kind than `type`, which is Lua's word for what would do: `"number"`.
  public static func expected(_ type: String, got value: Value) -> ValueMismatch {
    ValueMismatch(.expected(type), found: value.kindName)
  }

  /// The value is of the right kind and will not do all the same: `"number is out of range"`.
  public static func unsuitable(_ why: String) -> ValueMismatch {
    ValueMismatch(.unsuitable(why), found: "")
  }

  /// The reason in Lua's words, as in "number expected, got string".
  public var description: String { description(of: found) }

  /// The reason, where the value is called something else: "no value" of a missing argument.
  package func description(of found: String) -> String {
    switch reason {
    case .expected(let type) where type == found: "this \(type) has been disposed of"
    case .expected(let type): "\(type) expected, got \(found)"
    case .unsuitable(let why): why
    }
  }

  /// The mismatch of an element, for the whole to report.
  package func inside(_ location: String) -> ValueMismatch {
    .unsuitable("\(location): \(description)")
  }

  /// The reason for an error of a conversion, and nil for one that has nothing to do with the
  /// value: a closed state, exhausted memory, a budget.
  ///
  /// - Parameter found: what messages call the value.
  package static func reason(_ error: any Error, of found: String? = nil) -> String? {
    switch error {
    case let error as ValueMismatch: found.map(error.description(of:)) ?? error.description
    case let error as DecodingError: error.valueDescription
    default: nil
    }
  }
}

extension Value {
  /// Lua's word for this kind of value.
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

/// Work was given up because its turn has no time or no memory left for it.
///
/// ```swift
/// do { try ListController().selectAll() } catch is WorkError { print("the turn is over") }
/// ```
///
/// What edits or selects throws it as it is where it goes over many rows; elsewhere it is a
/// `TideError` of code `scriptTime` or `scriptMemory`.
public enum WorkError: Error {
  /// The turn has lasted too long.
  case time
  /// The budget of memory is used up.
  case memory
}
