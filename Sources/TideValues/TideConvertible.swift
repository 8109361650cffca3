/// A Swift type that converts to and from the engine's values: the type of a property, of a
/// parameter or result of a registered function or transformer, or of the result of an evaluation.
///
/// ```swift
/// let state = try LuaState()
/// let words = try state.evaluate("{ 'fig', 'pear' }", as: [String].self)
/// try state.register("area") { (width: Double, height: Double) in width * height }
/// ```
///
/// Booleans, all integer types, `Double`, `Float`, `Decimal`, `String`, `Date` (seconds since 1970,
/// as in `os.time`), `UUID`, `URL`, `Data`, optionals, arrays, dictionaries and data objects
/// conform already. Conversions are strict: a string never converts to a number nor a number to a
/// string, a number must fit its type, and a string must be UTF-8 to become a `String` (`[UInt8]`
/// and `Data` accept any bytes).
///
/// An enumeration with raw values, a `Codable` type or a class only needs to declare the
/// conformance:
///
/// ```swift
/// enum Fruit: String, TideConvertible { case fig, pear }
/// struct Point: Codable, TideConvertible { var x, y: Double }
/// final class Account: TideConvertible { var balance = 0 }
/// ```
///
/// Any other type implements two functions:
///
/// ```swift
/// struct Celsius: TideConvertible {
///   var degrees: Double
///   static var valueType: ValueType { .number }
///   static func from(_ value: Value) throws -> Celsius {
///     let degrees = try Double.from(value)
///     guard degrees >= -273.15 else { throw ValueMismatch.unsuitable("colder than cold can be") }
///     return Celsius(degrees: degrees)
///   }
///   func toValue() -> Value { .number(degrees) }
/// }
/// ```
///
/// The protocol is in a module of its own, below the interpreter and the graph, which are
/// independent of each other. Each of them converts between ``Value`` and its own storage, so a
/// host's types need only one conformance. Conversions run on the thread that reads or writes.
public protocol TideConvertible: SendableMetatype {
  // The metatype is used on the thread of each graph that has a property of the type.

  /// The declared type of properties of this Swift type; bindings convert to it.
  static var valueType: ValueType { get }
  /// Whether nil is a valid value.
  static var isNullable: Bool { get }

  /// Converts a value. A missing value is nil.
  ///
  /// - Throws: ``ValueMismatch`` if the value does not fit; other errors are passed on.
  static func from(_ value: Value) throws -> Self

  /// The value that bindings and scripts see.
  ///
  /// - Throws: ``ValueMismatch`` if scripts have no such value, as for an integer beyond 64 bits.
  func toValue() throws -> Value
}

extension TideConvertible {
  /// The default: `any`.
  public static var valueType: ValueType { .any }
  /// The default: false.
  public static var isNullable: Bool { false }
}

extension Value: TideConvertible {
  /// True: null is one of the values.
  public static var isNullable: Bool { true }
  /// Returns the value unchanged.
  ///
  /// - Throws: nothing.
  public static func from(_ value: Value) throws -> Value { value }
  /// The value itself.
  public func toValue() -> Value { self }
}

extension Optional: TideConvertible where Wrapped: TideConvertible {
  /// The wrapped type's type.
  public static var valueType: ValueType { Wrapped.valueType }
  /// True: nil is one of the values.
  public static var isNullable: Bool { true }

  /// Converts nil or a missing value to nil, and other values to the wrapped type.
  ///
  /// - Throws: The wrapped type's error for a value that does not fit.
  public static func from(_ value: Value) throws -> Wrapped? {
    if case .null = value { nil } else { try Wrapped.from(value) }
  }

  /// The wrapped value, or null.
  ///
  /// - Throws: The error of the wrapped value's conversion.
  public func toValue() throws -> Value { try self?.toValue() ?? .null }
}
