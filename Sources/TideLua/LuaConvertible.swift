public import TideValues

/// What `TideConvertible` was called where it converted scripts' values alone.
///
/// A type that has written both functions itself goes on to convert by them.
@available(*, deprecated, message: "conform to TideConvertible")
public protocol LuaConvertible: TideConvertible {
  /// Makes one of a script's value. What is missing is nil.
  ///
  /// - Throws: `ValueMismatch` when the value does not fit; other errors pass through.
  static func fromLua(_ value: LuaValue) throws -> Self
  /// The value that scripts see.
  ///
  /// - Throws: `LuaError` when the state is closed or out of memory, and `ValueMismatch` when
  ///   scripts have no such value.
  func toLua(in state: LuaState) throws -> LuaValue
}

@available(*, deprecated)
extension LuaConvertible {
  /// Reads by `fromLua`.
  ///
  /// - Throws: what that does.
  public static func from(_ value: Value) throws -> Self { try fromLua(try LuaValue.from(value)) }
  /// A value that `toLua(in:)` makes where it is needed.
  ///
  /// - Throws: nothing by itself; what `toLua(in:)` throws comes where the value is read.
  public func toValue() throws -> Value { .object(LateLuaValue { try self.toLua(in: $0) }) }
}

@available(*, deprecated)
extension LuaConvertible where Self: RawRepresentable, RawValue: TideConvertible {
  /// Reads the raw value.
  ///
  /// - Throws: `ValueMismatch` where the type has none like it.
  public static func from(_ value: Value) throws -> Self { try Self(raw: value) }
  /// The raw value.
  ///
  /// - Throws: what the raw value does.
  public func toValue() throws -> Value { try rawValue.toValue() }
}

@available(*, deprecated)
extension LuaConvertible where Self: Codable {
  /// Reads what the type encodes itself as.
  ///
  /// - Throws: `DecodingError` where the value does not fit, `LuaError` when the state is closed.
  public static func from(_ value: Value) throws -> Self {
    try LuaValue.from(value).decode(Self.self)
  }
  /// What the type encodes itself as, made where it is needed.
  ///
  /// - Throws: nothing by itself; what encoding throws comes where the value is read.
  public func toValue() throws -> Value { .object(LateLuaValue { try $0.encode(self) }) }
}

@available(*, deprecated)
extension LuaConvertible where Self: Codable & RawRepresentable, RawValue: TideConvertible {
  /// Reads the raw value.
  ///
  /// - Throws: `ValueMismatch` where the type has none like it.
  public static func from(_ value: Value) throws -> Self { try Self(raw: value) }
  /// The raw value.
  ///
  /// - Throws: what the raw value does.
  public func toValue() throws -> Value { try rawValue.toValue() }
}

/// A value that is made when it is known in which state.
final class LateLuaValue {
  let make: (LuaState) throws -> LuaValue
  init(_ make: @escaping (LuaState) throws -> LuaValue) { self.make = make }
}

/// Why a Lua value does not fit a Swift type.
package typealias LuaMismatch = ValueMismatch

extension ValueMismatch {
  /// The value is of another kind than `type`, which is Lua's word for what would do: `"number"`.
  public static func expected(_ type: String, got value: LuaValue) -> ValueMismatch {
    .expected(type, got: value.neutral)
  }
}
