public import TideGraph

/// What `TideConvertible` was called where it was about transformers and lists alone.
///
/// A type that has written both functions itself goes on to convert by them.
@available(*, deprecated, message: "conform to TideConvertible")
public protocol ValueConvertible: TideConvertible {
  /// The value in the engine's terms.
  func makeValue() -> Value
  /// The Swift value, or nil when the engine's value is of another type.
  static func make(from value: Value) -> Self?
}

@available(*, deprecated)
extension ValueConvertible {
  /// Reads by `make(from:)`.
  ///
  /// - Throws: `ValueMismatch` where that gives nil.
  public static func from(_ value: Value) throws -> Self { try made(from: value) }
  /// The value that `makeValue` gives.
  public func toValue() -> Value { makeValue() }

  fileprivate static func made(from value: Value) throws -> Self {
    guard let made = make(from: value) else {
      throw ValueMismatch.expected("\(Self.self)", got: value)
    }
    return made
  }
}

@available(*, deprecated)
extension ValueConvertible where Self: RawRepresentable, RawValue: TideConvertible {
  /// Reads by `make(from:)`.
  ///
  /// - Throws: `ValueMismatch` where that gives nil.
  public static func from(_ value: Value) throws -> Self { try made(from: value) }
  /// The value that `makeValue` gives.
  public func toValue() -> Value { makeValue() }
}

@available(*, deprecated)
extension ValueConvertible where Self: Codable {
  /// Reads by `make(from:)`.
  ///
  /// - Throws: `ValueMismatch` where that gives nil.
  public static func from(_ value: Value) throws -> Self { try made(from: value) }
  /// The value that `makeValue` gives.
  public func toValue() -> Value { makeValue() }
}

@available(*, deprecated)
extension ValueConvertible where Self: Codable & RawRepresentable, RawValue: TideConvertible {
  /// Reads by `make(from:)`.
  ///
  /// - Throws: `ValueMismatch` where that gives nil.
  public static func from(_ value: Value) throws -> Self { try made(from: value) }
  /// The value that `makeValue` gives.
  public func toValue() -> Value { makeValue() }
}
