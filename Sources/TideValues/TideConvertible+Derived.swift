// The default implementations of `TideConvertible`.

extension TideConvertible where Self: RawRepresentable, RawValue: TideConvertible {
  /// The raw value's type.
  public static var valueType: ValueType { RawValue.valueType }
  /// Converts from the raw value.
  ///
  /// - Throws: ``ValueMismatch`` if the value does not fit the raw type, or is not the raw value of
  ///   a case.
  public static func from(_ value: Value) throws -> Self { try Self(raw: value) }
  /// The raw value.
  ///
  /// - Throws: The error of the raw value's conversion.
  public func toValue() throws -> Value { try rawValue.toValue() }

  package init(raw value: Value) throws {
    let raw = try RawValue.from(value)
    guard let found = Self(rawValue: raw) else {
      throw ValueMismatch.unsuitable("cannot read '\(raw)' as \(Self.self)")
    }
    self = found
  }
}

extension TideConvertible where Self: Codable {
  /// Decodes a value: a table or an object for the type's fields, a list, or a single scalar.
  ///
  /// - Throws: ``ValueMismatch`` or `DecodingError` if the value does not fit.
  public static func from(_ value: Value) throws -> Self { try ValueDecoder.decode(value) }
  /// A value that scripts see as a table of the type's fields, created at each read.
  ///
  /// - Throws: No error itself. Reading the table throws if a field cannot be encoded.
  public func toValue() throws -> Value { .object(ValueBox(self) { .encodable(self) }) }
}

extension TideConvertible where Self: Codable & RawRepresentable, RawValue: TideConvertible {
  /// The raw value's type.
  public static var valueType: ValueType { RawValue.valueType }
  /// Converts from the raw value.
  ///
  /// - Throws: ``ValueMismatch`` if the value does not fit the raw type, or is not the raw value of
  ///   a case.
  public static func from(_ value: Value) throws -> Self { try Self(raw: value) }
  /// The raw value.
  ///
  /// - Throws: The error of the raw value's conversion.
  public func toValue() throws -> Value { try rawValue.toValue() }
}

extension TideConvertible where Self: AnyObject {
  /// `any`.
  public static var valueType: ValueType { .any }
  /// Returns the object in the value.
  ///
  /// - Throws: ``ValueMismatch`` if the value holds no object of this class.
  public static func from(_ value: Value) throws -> Self { try instance(value) }
  /// The object itself, retained by the value.
  ///
  /// - Throws: nothing.
  public func toValue() throws -> Value { .object(self) }

  fileprivate static func instance(_ value: Value) throws -> Self {
    if case .object(let object) = value {
      if let found = object as? Self { return found }
      if let found = (object as? any ObjectStandIn)?.standsFor as? Self { return found }
    }
    throw ValueMismatch.expected("\(Self.self)", got: value)
  }
}

extension TideConvertible where Self: AnyObject & Codable {
  /// `any`.
  public static var valueType: ValueType { .any }
  /// Returns the object in the value.
  ///
  /// - Throws: ``ValueMismatch`` if the value holds no object of this class.
  public static func from(_ value: Value) throws -> Self { try instance(value) }
  /// The object itself, retained by the value.
  ///
  /// - Throws: nothing.
  public func toValue() throws -> Value { .object(self) }
}
