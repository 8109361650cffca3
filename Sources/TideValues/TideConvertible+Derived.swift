// What types get that only say that they conform.

extension TideConvertible where Self: RawRepresentable, RawValue: TideConvertible {
  /// That of the raw value.
  public static var valueType: ValueType { RawValue.valueType }
  /// Reads the raw value.
  ///
  /// - Throws: ``ValueMismatch`` where the value is no raw value of the type's, or not one of those
  ///   that it has.
  public static func from(_ value: Value) throws -> Self { try Self(raw: value) }
  /// The raw value.
  ///
  /// - Throws: what the raw value does.
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
  /// Reads what the type encodes itself as: a table or an object for its fields, a list, or one
  /// plain value.
  ///
  /// - Throws: ``ValueMismatch`` or `DecodingError` where the value does not fit.
  public static func from(_ value: Value) throws -> Self { try ValueDecoder.decode(value) }
  /// A value that scripts see as a table of its fields, made at each read.
  ///
  /// - Throws: nothing by itself; a field that cannot be encoded throws when the table is read.
  public func toValue() throws -> Value { .object(ValueBox(self) { .encodable(self) }) }
}

extension TideConvertible where Self: Codable & RawRepresentable, RawValue: TideConvertible {
  /// That of the raw value.
  public static var valueType: ValueType { RawValue.valueType }
  /// Reads the raw value.
  ///
  /// - Throws: ``ValueMismatch`` where the value is no raw value of the type's, or not one of those
  ///   that it has.
  public static func from(_ value: Value) throws -> Self { try Self(raw: value) }
  /// The raw value.
  ///
  /// - Throws: what the raw value does.
  public func toValue() throws -> Value { try rawValue.toValue() }
}

extension TideConvertible where Self: AnyObject {
  /// `any`.
  public static var valueType: ValueType { .any }
  /// Gives the object that the value holds.
  ///
  /// - Throws: ``ValueMismatch`` where it is none of this class.
  public static func from(_ value: Value) throws -> Self { try instance(value) }
  /// The object itself, which lives at least as long as whoever holds the value.
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
  /// Gives the object that the value holds.
  ///
  /// - Throws: ``ValueMismatch`` where it is none of this class.
  public static func from(_ value: Value) throws -> Self { try instance(value) }
  /// The object itself, which lives at least as long as whoever holds the value.
  ///
  /// - Throws: nothing.
  public func toValue() throws -> Value { .object(self) }
}
