/// The value of a property of any declared type.
///
/// ```swift
/// let age: Value = 12
/// let name: Value = "Ada"
/// age == .integer(12)   // true
/// ```
///
/// Values are equal by Lua's rules: an integer and a number of the same amount, 0.0 and -0.0,
/// strings of the same bytes, and an object and itself. Two NaNs count as equal, too, because
/// writing an equal value must not notify observers.
public enum Value {
  /// No value.
  case null
  /// True or false.
  case boolean(Bool)
  /// A whole number.
  case integer(Int)
  /// A number.
  case number(Double)
  /// A string.
  case string(String)
  /// A string from a script that is not UTF-8, stored byte for byte.
  case bytes([UInt8])
  /// A Swift object: a data object, a list, a marker, or any other.
  case object(AnyObject)
}

extension Value: Equatable {
  /// Equality by Lua's rules, with NaN equal to itself; see ``Value``.
  @inlinable
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b || (a.isNaN && b.isNaN)
    case (.integer(let a), .number(let b)), (.number(let b), .integer(let a)): a == Int(exactly: b)
    // In Swift, composed and decomposed strings are equal as well.
    case (.string(let a), .string(let b)): a == b && a.utf8.elementsEqual(b.utf8)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.object(let a), .object(let b)): a === b
    default: false
    }
  }
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// Creates an integer.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// Creates a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Creates null.
  public init(nilLiteral: ()) { self = .null }
}

extension Value {
  /// The name of this kind of value in messages.
  public var typeName: String {
    switch self {
    case .null: "nil"
    case .boolean: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string, .bytes: "string"
    case .object: "object"
    }
  }
}
