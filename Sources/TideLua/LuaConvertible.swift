public import TideValues

/// The former name of `TideConvertible`, from when it converted only scripts' values.
///
/// A type that implements both functions itself keeps converting with them.
@available(*, deprecated, message: "conform to TideConvertible")
public protocol LuaConvertible: TideConvertible {
  /// Converts a script's value. A missing value is nil.
  ///
  /// - Throws: `ValueMismatch` when the value does not fit; other errors pass through.
  static func fromLua(_ value: LuaValue) throws -> Self
  /// Converts to a Lua value.
  ///
  /// - Throws: `LuaError` if the state is closed or out of memory, and `ValueMismatch` if Lua
  ///   cannot represent the value.
  func toLua(in state: LuaState) throws -> LuaValue
}

@available(*, deprecated)
extension LuaConvertible {
  /// Converts with `fromLua`.
  ///
  /// - Throws: errors of `fromLua`.
  public static func from(_ value: Value) throws -> Self { try fromLua(try LuaValue.from(value)) }
  /// A value that `toLua(in:)` creates on demand.
  ///
  /// - Throws: nothing; errors of `toLua(in:)` are thrown when the value is read.
  public func toValue() throws -> Value { .object(LateLuaValue { try self.toLua(in: $0) }) }
}

@available(*, deprecated)
extension LuaConvertible where Self: RawRepresentable, RawValue: TideConvertible {
  /// Converts the raw value.
  ///
  /// - Throws: `ValueMismatch` if the type has no case with that raw value.
  public static func from(_ value: Value) throws -> Self { try Self(raw: value) }
  /// The raw value.
  ///
  /// - Throws: errors of converting the raw value.
  public func toValue() throws -> Value { try rawValue.toValue() }
}

@available(*, deprecated)
extension LuaConvertible where Self: Codable {
  /// Decodes the value.
  ///
  /// - Throws: `DecodingError` if the value does not fit, `LuaError` if the state is closed.
  public static func from(_ value: Value) throws -> Self {
    try LuaValue.from(value).decode(Self.self)
  }
  /// The encoded value, created on demand.
  ///
  /// - Throws: nothing; encoding errors are thrown when the value is read.
  public func toValue() throws -> Value { .object(LateLuaValue { try $0.encode(self) }) }
}

@available(*, deprecated)
extension LuaConvertible where Self: Codable & RawRepresentable, RawValue: TideConvertible {
  /// Converts the raw value.
  ///
  /// - Throws: `ValueMismatch` if the type has no case with that raw value.
  public static func from(_ value: Value) throws -> Self { try Self(raw: value) }
  /// The raw value.
  ///
  /// - Throws: errors of converting the raw value.
  public func toValue() throws -> Value { try rawValue.toValue() }
}

/// A value that is created when its state is known.
final class LateLuaValue {
  let make: (LuaState) throws -> LuaValue
  init(_ make: @escaping (LuaState) throws -> LuaValue) { self.make = make }
}

/// The reason why a Lua value does not fit a Swift type.
package typealias LuaMismatch = ValueMismatch

extension ValueMismatch {
  /// The value has a different type than `type`, Lua's name of the expected one: `"number"`.
  public static func expected(_ type: String, got value: LuaValue) -> ValueMismatch {
    .expected(type, got: value.neutral)
  }
}
