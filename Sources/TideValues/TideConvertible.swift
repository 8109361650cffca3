/// A Swift type that the engine's values convert to and from: what properties hold, what registered
/// functions and transformers take and give, what an evaluation is read as.
///
/// ```swift
/// let state = try LuaState()
/// let words = try state.evaluate("{ 'fig', 'pear' }", as: [String].self)
/// try state.register("area") { (width: Double, height: Double) in width * height }
/// ```
///
/// Booleans, all integer types, `Double`, `Float`, `Decimal`, `String`, `Date` (seconds since 1970,
/// as `os.time` counts), `UUID`, `URL`, `Data`, optionals, arrays, dictionaries and data objects
/// convert by themselves. Conversions are strict: no text counts as a number and no number as text,
/// a number must fit its type, and text must be UTF-8 to become a `String` (`[UInt8]` and `Data`
/// take any).
///
/// An enumeration with raw values, a `Codable` type and a class need only say that they conform:
///
/// ```swift
/// enum Fruit: String, TideConvertible { case fig, pear }
/// struct Point: Codable, TideConvertible { var x, y: Double }
/// final class Account: TideConvertible { var balance = 0 }
/// ```
///
/// Any other type writes two functions:
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
/// The protocol stands in a module of its own, below the interpreter and the graph, which know
/// nothing of each other: each converts between ``Value`` and what it keeps, and no type of a host
/// has to say twice what it is. Conversions run on the thread of whoever reads or writes.
public protocol TideConvertible: SendableMetatype {
  // The metatype is used wherever a property of the type is, on any graph's thread.

  /// The declared type of properties of it, by which bindings convert.
  static var valueType: ValueType { get }
  /// Whether nil is one of its values.
  static var isNullable: Bool { get }

  /// Makes one of a value. What is missing is nil.
  ///
  /// - Throws: ``ValueMismatch`` when the value does not fit; other errors pass through.
  static func from(_ value: Value) throws -> Self

  /// The value that bindings and scripts see.
  ///
  /// - Throws: ``ValueMismatch`` when scripts have no such value, as for an integer beyond 64 bits.
  func toValue() throws -> Value
}

extension TideConvertible {
  /// `any`, for types that say nothing else.
  public static var valueType: ValueType { .any }
  /// False, for types that say nothing else.
  public static var isNullable: Bool { false }
}

extension Value: TideConvertible {
  /// True: null is one of the values.
  public static var isNullable: Bool { true }
  /// Takes every value as it is.
  ///
  /// - Throws: nothing.
  public static func from(_ value: Value) throws -> Value { value }
  /// The value as it is.
  public func toValue() -> Value { self }
}

extension Optional: TideConvertible where Wrapped: TideConvertible {
  /// That of the wrapped type.
  public static var valueType: ValueType { Wrapped.valueType }
  /// True: nil is one of the values.
  public static var isNullable: Bool { true }

  /// Nil is nil, and so is what is missing.
  ///
  /// - Throws: what the wrapped type does for a value that does not fit.
  public static func from(_ value: Value) throws -> Wrapped? {
    if case .null = value { nil } else { try Wrapped.from(value) }
  }

  /// The wrapped value, or null.
  ///
  /// - Throws: what the wrapped value does.
  public func toValue() throws -> Value { try self?.toValue() ?? .null }
}
