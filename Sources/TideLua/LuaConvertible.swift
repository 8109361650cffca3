/// A Swift type that scripts' values convert to and from.
///
/// ```swift
/// let words = try state.evaluate("{ 'fig', 'pear' }", as: [String].self)
/// try state.define("area") { (width: Double, height: Double) in width * height }
/// ```
///
/// Booleans, numbers, strings, arrays, dictionaries, optionals and the `Lua…` types convert by
/// themselves. Conversions are strict: no text counts as a number and no number as text, an integer
/// must fit its type, and text must be UTF-8 to become a `String` (`[UInt8]` takes any).
///
/// An enum with raw values and a `Codable` type need only say that they conform:
///
/// ```swift
/// enum Fruit: String, LuaConvertible { case fig, pear }
/// struct Point: Codable, LuaConvertible { var x, y: Double }
/// ```
public protocol LuaConvertible {
  /// Makes one of a script's value. What is missing is nil.
  ///
  /// - Throws: `LuaMismatch` when the value does not fit; other errors pass through.
  static func fromLua(_ value: LuaValue) throws -> Self

  /// The value that scripts see.
  ///
  /// - Throws: `LuaMismatch` when Lua has no such value, `LuaError` when it cannot be made.
  func toLua(in state: LuaState) throws -> LuaValue
}

extension LuaConvertible where Self: RawRepresentable, RawValue: LuaConvertible {
  public static func fromLua(_ value: LuaValue) throws -> Self {
    let raw = try RawValue.fromLua(value)
    guard let found = Self(rawValue: raw) else {
      throw LuaMismatch.unsuitable("'\(raw)' is no \(Self.self)")
    }
    return found
  }

  public func toLua(in state: LuaState) throws -> LuaValue { try rawValue.toLua(in: state) }
}

extension LuaConvertible where Self: Codable {
  public static func fromLua(_ value: LuaValue) throws -> Self { try value.decode(Self.self) }
  public func toLua(in state: LuaState) throws -> LuaValue { try state.encode(self) }
}

extension LuaConvertible where Self: Codable & RawRepresentable, RawValue: LuaConvertible {
  public static func fromLua(_ value: LuaValue) throws -> Self {
    let raw = try RawValue.fromLua(value)
    guard let found = Self(rawValue: raw) else {
      throw LuaMismatch.unsuitable("'\(raw)' is no \(Self.self)")
    }
    return found
  }

  public func toLua(in state: LuaState) throws -> LuaValue { try rawValue.toLua(in: state) }
}

extension LuaMismatch {
  /// The reason for an error of a conversion, and nil for one that has nothing to do with the
  /// value: a closed state, exhausted memory, a budget.
  static func reason(_ error: any Error, of found: String) -> String? {
    switch error {
    case let error as LuaMismatch: error.description(of: found)
    case let error as DecodingError: error.luaDescription
    default: nil
    }
  }
}
