public import TideValues

/// What `TideConvertible` was called where it converted scripts' values alone.
///
/// A type that has written both functions itself goes on to convert by them.
@available(*, deprecated, message: "conform to TideConvertible")
public protocol LuaConvertible: TideConvertible {
  /// Makes one of a script's value. What is missing is nil.
  static func fromLua(_ value: LuaValue) throws -> Self
  /// The value that scripts see.
  func toLua(in state: LuaState) throws -> LuaValue
}

@available(*, deprecated)
extension LuaConvertible {
  /// Reads by `fromLua`.
  public static func from(_ value: Value) throws -> Self { try fromLua(try LuaValue.from(value)) }
  /// A value that `toLua(in:)` makes where it is needed.
  public func toValue() throws -> Value { .object(LateLuaValue { try self.toLua(in: $0) }) }
}

@available(*, deprecated)
extension LuaConvertible where Self: RawRepresentable, RawValue: TideConvertible {
  /// Reads what `toValue` gives; throws where the value does not fit.
  public static func from(_ value: Value) throws -> Self { try Self(raw: value) }
  /// The raw value, or what the type encodes itself as.
  public func toValue() throws -> Value { try rawValue.toValue() }
}

@available(*, deprecated)
extension LuaConvertible where Self: Codable {
  /// Reads what `toValue` gives; throws where the value does not fit.
  public static func from(_ value: Value) throws -> Self {
    try LuaValue.from(value).decode(Self.self)
  }
  /// The raw value, or what the type encodes itself as.
  public func toValue() throws -> Value { .object(LateLuaValue { try $0.encode(self) }) }
}

@available(*, deprecated)
extension LuaConvertible where Self: Codable & RawRepresentable, RawValue: TideConvertible {
  /// Reads what `toValue` gives; throws where the value does not fit.
  public static func from(_ value: Value) throws -> Self { try Self(raw: value) }
  /// The raw value, or what the type encodes itself as.
  public func toValue() throws -> Value { try rawValue.toValue() }
}

/// A value that is made when it is known in which state.
final class LateLuaValue {
  let make: (LuaState) throws -> LuaValue
  init(_ make: @escaping (LuaState) throws -> LuaValue) { self.make = make }
}

/// Why a Lua value does not fit a Swift type.
public typealias LuaMismatch = ValueMismatch

extension ValueMismatch {
  /// The value is of another kind than `type`, which is Lua's word for what would do: `"number"`.
  public static func expected(_ type: String, got value: LuaValue) -> ValueMismatch {
    .expected(type, got: value.neutral)
  }
}
