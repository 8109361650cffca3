/// The declared type of a property, which says what may be written to it.
///
/// ```swift
/// ValueType(name: "dict")   // .dictionary
/// Double.valueType          // .number
/// ```
///
/// `number` keeps an integer an integer and a float a float; `integer` refuses fractions.
public enum ValueType: UInt8, Sendable, CaseIterable {
  /// Whatever there is.
  case any = 0
  /// Text.
  case string = 1
  /// A number.
  case number = 2
  /// A whole number.
  case integer = 3
  /// True or false.
  case boolean = 4
  /// A data object.
  case object = 5
  /// A list.
  case list = 6
  /// A dictionary.
  case dictionary = 7

  /// The name that scripts use.
  public var name: String {
    // Spelled out, because looking a case's name up takes a microsecond, and objects are made by
    // it.
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

  /// Finds a type by its name, as `string`; nil for what is none.
  public init?(name: String) {
    guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = type
  }

  /// What a property that may not be nil and has no default of its own holds in place of nil.
  package var empty: Value {
    switch self {
    case .string: ""
    case .number, .integer: 0
    case .boolean: false
    case .any, .object, .list, .dictionary: .null
    }
  }
}
