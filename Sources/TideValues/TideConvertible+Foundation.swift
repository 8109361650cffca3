public import FoundationEssentials

extension Date: TideConvertible {
  /// A number: seconds since 1970.
  public static var valueType: ValueType { .number }

  /// Takes seconds since 1970, as `os.time` counts them.
  ///
  /// - Throws: ``ValueMismatch`` for anything but a finite number.
  public static func from(_ value: Value) throws -> Date {
    let seconds = try Double.from(value)
    guard seconds.isFinite else {
      throw ValueMismatch.unsuitable("cannot read \(seconds) as a date")
    }
    return Date(timeIntervalSince1970: seconds)
  }

  /// Seconds since 1970.
  public func toValue() -> Value { .number(timeIntervalSince1970) }
}

extension UUID: TideConvertible {
  /// A string of 36 characters.
  public static var valueType: ValueType { .string }

  /// Takes the 36 characters of a UUID, in any case.
  ///
  /// - Throws: ``ValueMismatch`` for any other text or value.
  public static func from(_ value: Value) throws -> UUID {
    let text = try String.from(value)
    guard let found = UUID(uuidString: text) else {
      throw ValueMismatch.unsuitable("cannot read '\(text)' as a UUID")
    }
    return found
  }

  /// The 36 characters, in upper case.
  public func toValue() -> Value { .string(uuidString) }
}

extension URL: TideConvertible {
  /// A string.
  public static var valueType: ValueType { .string }

  /// Takes the text of a URL.
  ///
  /// - Throws: ``ValueMismatch`` for text that is none, or another value.
  public static func from(_ value: Value) throws -> URL {
    let text = try String.from(value)
    guard let found = URL(string: text) else {
      throw ValueMismatch.unsuitable("cannot read '\(text)' as a URL")
    }
    return found
  }

  /// The URL as text, resolved against its base.
  public func toValue() -> Value { .string(absoluteString) }
}

extension Data: TideConvertible {
  /// A string of any bytes.
  public static var valueType: ValueType { .string }

  /// Takes text of any bytes.
  ///
  /// - Throws: ``ValueMismatch`` for anything but text.
  public static func from(_ value: Value) throws -> Data {
    guard let bytes = value.utf8 else { throw ValueMismatch.expected("string", got: value) }
    return Data(bytes)
  }

  /// The bytes as text.
  public func toValue() -> Value { Value(utf8: Array(self)) }
}

extension Decimal: TideConvertible {
  /// A number.
  public static var valueType: ValueType { .number }

  /// Takes a number as it is written: 0.1 is exactly a tenth.
  ///
  /// - Throws: ``ValueMismatch`` for anything but a finite number.
  public static func from(_ value: Value) throws -> Decimal {
    switch value {
    case .integer(let integer): return Decimal(integer)
    case .number(let number):
      guard number.isFinite, let found = Decimal(string: "\(number)") else {
        throw ValueMismatch.unsuitable("\(number) does not fit Decimal")
      }
      return found
    default: throw ValueMismatch.expected("number", got: value)
    }
  }

  /// An integer or a number. A property keeps all of its digits, whatever scripts see.
  ///
  /// - Throws: ``ValueMismatch`` for more digits than a number has; it is not rounded.
  public func toValue() throws -> Value {
    let text = description
    if let integer = Int(text) { return .integer(integer) }
    if let number = Double(text), Decimal(string: "\(number)") == self { return .number(number) }
    throw ValueMismatch.unsuitable("\(text) has more digits than a Lua number")
  }
}
