/// The declared type of a property, which restricts the values that can be written to it.
///
/// ```swift
/// ValueType(name: "dict")   // .dictionary
/// Double.valueType          // .number
/// ```
///
/// `number` preserves whether a value is an integer or a float; `integer` refuses fractions.
public enum ValueType: UInt8, Sendable, CaseIterable {
  /// Any value.
  case any = 0
  /// A string.
  case string = 1
  /// A number.
  case number = 2
  /// An integer.
  case integer = 3
  /// True or false.
  case boolean = 4
  /// A data object.
  case object = 5
  /// A list.
  case list = 6
  /// A dictionary.
  case dictionary = 7

  /// The name in scripts.
  public var name: String {
    // Written out, because looking up the name of an enumeration case takes a microsecond, and
    // creating objects uses it.
    switch self {
    case .any: "any"
    case .string: "string"
    case .number: "number"
    case .integer: "integer"
    case .boolean: "boolean"
    case .object: "object"
    case .list: "list"
    case .dictionary: "dict"
    }
  }

  /// Finds a type by its name, such as `string`; nil for an unknown name.
  public init?(name: String) {
    guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = type
  }

  /// The initial value of a property that is not nullable and has no default.
  package var empty: Value {
    switch self {
    case .string: ""
    case .number, .integer: 0
    case .boolean: false
    case .any, .object, .list, .dictionary: .null
    }
  }
}
