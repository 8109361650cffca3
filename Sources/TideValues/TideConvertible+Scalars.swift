extension Bool: TideConvertible {
  /// A boolean.
  public static var valueType: ValueType { .boolean }
  /// Takes true and false, and nothing that merely counts as either.
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

// A protocol cannot conform to another, so each integer type says it for itself.

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

// Codable as well, to be told from what any Codable type gets.
extension TideConvertible where Self: FixedWidthInteger & Codable {
  /// An integer.
  public static var valueType: ValueType { .integer }

  /// Takes an integer, and a number without a fraction.
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
  /// - Throws: ``ValueMismatch`` for one that does not fit the 64 bits of Lua's.
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

  /// Takes a number, and an integer that a `Double` holds exactly.
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

  /// The number, bit for bit.
  public func toValue() -> Value { .number(self) }
}

extension Float: TideConvertible {
  /// A number.
  public static var valueType: ValueType { .number }

  /// Takes a number, rounded; one that is too large is refused.
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

  /// The number, which a `Double` holds exactly.
  public func toValue() -> Value { .number(Double(self)) }
}

extension String: TideConvertible {
  /// A string.
  public static var valueType: ValueType { .string }

  /// Takes text that is UTF-8.
  ///
  /// - Throws: ``ValueMismatch`` for any other value, or bytes that are not UTF-8.
  public static func from(_ value: Value) throws -> String {
    switch value {
    case .string(let string): return string
    case .bytes: throw ValueMismatch.unsuitable("the text is not UTF-8")
    default: throw ValueMismatch.expected("string", got: value)
    }
  }

  /// The text.
  public func toValue() -> Value { .string(self) }
}
