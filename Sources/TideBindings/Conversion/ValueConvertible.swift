public import TideGraph

/// The former name of `TideConvertible`, when it only concerned transformers and lists.
///
/// A type that implements both functions is still converted by them.
@available(*, deprecated, message: "conform to TideConvertible")
public protocol ValueConvertible: TideConvertible {
  /// The engine's value.
  func makeValue() -> Value
  /// The Swift value, or nil when the engine's value is of another type.
  static func make(from value: Value) -> Self?
}

@available(*, deprecated)
extension ValueConvertible {
  /// Reads by `make(from:)`.
  ///
  /// - Throws: `ValueMismatch` if that returns nil.
  public static func from(_ value: Value) throws -> Self { try made(from: value) }
  /// The value that `makeValue` returns.
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
  /// - Throws: `ValueMismatch` if that returns nil.
  public static func from(_ value: Value) throws -> Self { try made(from: value) }
  /// The value that `makeValue` returns.
  public func toValue() -> Value { makeValue() }
}

@available(*, deprecated)
extension ValueConvertible where Self: Codable {
  /// Reads by `make(from:)`.
  ///
  /// - Throws: `ValueMismatch` if that returns nil.
  public static func from(_ value: Value) throws -> Self { try made(from: value) }
  /// The value that `makeValue` returns.
  public func toValue() -> Value { makeValue() }
}

@available(*, deprecated)
extension ValueConvertible where Self: Codable & RawRepresentable, RawValue: TideConvertible {
  /// Reads by `make(from:)`.
  ///
  /// - Throws: `ValueMismatch` if that returns nil.
  public static func from(_ value: Value) throws -> Self { try made(from: value) }
  /// The value that `makeValue` returns.
  public func toValue() -> Value { makeValue() }
}
