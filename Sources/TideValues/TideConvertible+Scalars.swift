extension Bool: TideConvertible {
  /// A boolean.
  public static var valueType: ValueType { .boolean }
  /// Converts only true and false, not values that merely count as one of them.
  ///
  /// - Throws: ``ValueMismatch`` for any other value.
  public static func from(_ value: Value) throws -> Bool {
    guard case .boolean(let flag) = value else {
      throw ValueMismatch.expected("boolean", got: value)
    }
    return flag
  }
  /// True or false.
  public func toValue() -> Value { .boolean(self) }
}

// A protocol cannot conform to another one, so each integer type declares the conformance.

extension Int: TideConvertible {}
extension Int8: TideConvertible {}
extension Int16: TideConvertible {}
extension Int32: TideConvertible {}
extension Int64: TideConvertible {}
extension UInt: TideConvertible {}
extension UInt8: TideConvertible {}
extension UInt16: TideConvertible {}
extension UInt32: TideConvertible {}
extension UInt64: TideConvertible {}

// `Codable` as well, so that these implementations take precedence over those for `Codable` types.
extension TideConvertible where Self: FixedWidthInteger & Codable {
  /// An integer.
  public static var valueType: ValueType { .integer }

  /// Converts an integer, or a number without a fraction.
  ///
  /// - Throws: ``ValueMismatch`` for any other value, or a number outside of the type's range.
  public static func from(_ value: Value) throws -> Self {
    switch value {
    case .integer(let integer):
      if let fitting = Self(exactly: integer) { return fitting }
      throw ValueMismatch.unsuitable("\(integer) does not fit \(Self.self)")
    case .number(let number):
      if let fitting = Self(exactly: number) { return fitting }
      if Int(exactly: number) == nil {
        throw ValueMismatch.unsuitable("number has no integer representation")
      }
      throw ValueMismatch.unsuitable("\(number) does not fit \(Self.self)")
    default: throw ValueMismatch.expected("number", got: value)
    }
  }

  /// An integer.
  ///
  /// - Throws: ``ValueMismatch`` for an integer that does not fit Lua's 64 bits.
  public func toValue() throws -> Value {
    guard let integer = Int(exactly: self) else {
      throw ValueMismatch.unsuitable("\(self) does not fit a Lua integer")
    }
    return .integer(integer)
  }
}

extension Double: TideConvertible {
  /// A number.
  public static var valueType: ValueType { .number }

  /// Converts a number, or an integer that a `Double` can represent exactly.
  ///
  /// - Throws: ``ValueMismatch`` for any other value, or an integer that is not exact.
  public static func from(_ value: Value) throws -> Double {
    switch value {
    case .number(let number): return number
    case .integer(let integer):
      if let exact = Double(exactly: integer) { return exact }
      throw ValueMismatch.unsuitable("\(integer) does not fit Double")
    default: throw ValueMismatch.expected("number", got: value)
    }
  }

  /// The number, unchanged.
  public func toValue() -> Value { .number(self) }
}

extension Float: TideConvertible {
  /// A number.
  public static var valueType: ValueType { .number }

  /// Converts a number by rounding; a number beyond the range of `Float` is refused.
  ///
  /// - Throws: ``ValueMismatch`` for any other value.
  public static func from(_ value: Value) throws -> Float {
    let number = try Double.from(value)
    let rounded = Float(number)
    guard rounded.isFinite || !number.isFinite else {
      throw ValueMismatch.unsuitable("\(number) does not fit Float")
    }
    return rounded
  }

  /// The number, which a `Double` represents exactly.
  public func toValue() -> Value { .number(Double(self)) }
}

extension String: TideConvertible {
  /// A string.
  public static var valueType: ValueType { .string }

  /// Converts a string that is UTF-8.
  ///
  /// - Throws: ``ValueMismatch`` for any other value, or bytes that are not UTF-8.
  public static func from(_ value: Value) throws -> String {
    switch value {
    case .string(let string): return string
    case .bytes: throw ValueMismatch.unsuitable("the text is not UTF-8")
    default: throw ValueMismatch.expected("string", got: value)
    }
  }

  /// The string.
  public func toValue() -> Value { .string(self) }
}
