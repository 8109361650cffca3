public import FoundationEssentials

extension Date: TideConvertible {
  /// A number of seconds since 1970.
  public static var valueType: ValueType { .number }

  /// Converts seconds since 1970, as `os.time` counts them.
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

  /// Converts the 36 characters of a UUID, in upper or lower case.
  ///
  /// - Throws: ``ValueMismatch`` for any other string or value.
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

  /// Parses the text of a URL.
  ///
  /// - Throws: ``ValueMismatch`` for a string that is not a URL, or another value.
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

  /// Converts a string of any bytes.
  ///
  /// - Throws: ``ValueMismatch`` for anything but a string.
  public static func from(_ value: Value) throws -> Data {
    guard let bytes = value.utf8 else { throw ValueMismatch.expected("string", got: value) }
    return Data(bytes)
  }

  /// The bytes as a string.
  public func toValue() -> Value { Value(utf8: Array(self)) }
}

extension Decimal: TideConvertible {
  /// A number.
  public static var valueType: ValueType { .number }

  /// Converts a number by its shortest decimal notation: 0.1 is exactly a tenth.
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

  /// An integer or a number. A property keeps all digits, even those that scripts do not see.
  ///
  /// - Throws: ``ValueMismatch`` if the value has more digits than a Lua number; it is not rounded.
  public func toValue() throws -> Value {
    let text = description
    if let integer = Int(text) { return .integer(integer) }
    if let number = Double(text), Decimal(string: "\(number)") == self { return .number(number) }
    throw ValueMismatch.unsuitable("\(text) has more digits than a Lua number")
  }
}
