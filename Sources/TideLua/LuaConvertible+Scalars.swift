extension Bool: LuaConvertible {
  public static func fromLua(_ value: LuaValue) throws -> Bool {
    guard case .boolean(let flag) = value else { throw LuaMismatch.expected("boolean", got: value) }
    return flag
  }

  public func toLua(in state: LuaState) throws -> LuaValue { .boolean(self) }
}

// A protocol cannot conform to another, so each integer type says it for itself.

extension Int: LuaConvertible {}
extension Int8: LuaConvertible {}
extension Int16: LuaConvertible {}
extension Int32: LuaConvertible {}
extension Int64: LuaConvertible {}
extension UInt: LuaConvertible {}
extension UInt8: LuaConvertible {}
extension UInt16: LuaConvertible {}
extension UInt32: LuaConvertible {}
extension UInt64: LuaConvertible {}

// Codable as well, to be told from what any Codable type gets.
extension LuaConvertible where Self: FixedWidthInteger & Codable {
  /// Takes an integer, and a number without a fraction.
  public static func fromLua(_ value: LuaValue) throws -> Self {
    switch value {
    case .integer(let integer):
      if let fitting = Self(exactly: integer) { return fitting }
      throw LuaMismatch.unsuitable("\(integer) does not fit \(Self.self)")
    case .number(let number):
      if let fitting = Self(exactly: number) { return fitting }
      if Int(exactly: number) == nil {
        throw LuaMismatch.unsuitable("number has no integer representation")
      }
      throw LuaMismatch.unsuitable("\(number) does not fit \(Self.self)")
    default: throw LuaMismatch.expected("number", got: value)
    }
  }

  /// An integer; what is larger than any of Lua's is refused.
  public func toLua(in state: LuaState) throws -> LuaValue {
    guard let integer = Int(exactly: self) else {
      throw LuaMismatch.unsuitable("\(self) does not fit a Lua integer")
    }
    return .integer(integer)
  }
}

extension Double: LuaConvertible {
  /// Takes a number, and an integer that a `Double` holds exactly.
  public static func fromLua(_ value: LuaValue) throws -> Double {
    switch value {
    case .number(let number): return number
    case .integer(let integer):
      if let exact = Double(exactly: integer) { return exact }
      throw LuaMismatch.unsuitable("\(integer) does not fit Double")
    default: throw LuaMismatch.expected("number", got: value)
    }
  }

  public func toLua(in state: LuaState) throws -> LuaValue { .number(self) }
}

extension Float: LuaConvertible {
  /// Takes a number, rounded; one that is too large is refused.
  public static func fromLua(_ value: LuaValue) throws -> Float {
    let number = try Double.fromLua(value)
    let rounded = Float(number)
    guard rounded.isFinite || !number.isFinite else {
      throw LuaMismatch.unsuitable("\(number) does not fit Float")
    }
    return rounded
  }

  public func toLua(in state: LuaState) throws -> LuaValue { .number(Double(self)) }
}

extension String: LuaConvertible {
  /// Takes text that is UTF-8.
  public static func fromLua(_ value: LuaValue) throws -> String {
    switch value {
    case .string(let string): return string
    case .bytes: throw LuaMismatch.unsuitable("the text is not UTF-8")
    default: throw LuaMismatch.expected("string", got: value)
    }
  }

  public func toLua(in state: LuaState) throws -> LuaValue { .string(self) }
}
