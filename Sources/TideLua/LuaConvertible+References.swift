// What Lua keeps passes as itself.

extension LuaValue: LuaConvertible {
  public static func fromLua(_ value: LuaValue) throws -> LuaValue { value }
  public func toLua(in state: LuaState) throws -> LuaValue { self }
}

extension LuaTable: LuaConvertible {
  public static func fromLua(_ value: LuaValue) throws -> LuaTable {
    guard case .table(let table) = value else { throw LuaMismatch.expected("table", got: value) }
    return table
  }

  public func toLua(in state: LuaState) throws -> LuaValue { .table(self) }
}

extension LuaFunction: LuaConvertible {
  public static func fromLua(_ value: LuaValue) throws -> LuaFunction {
    guard case .function(let function) = value else {
      throw LuaMismatch.expected("function", got: value)
    }
    return function
  }

  public func toLua(in state: LuaState) throws -> LuaValue { .function(self) }
}

extension LuaThread: LuaConvertible {
  public static func fromLua(_ value: LuaValue) throws -> LuaThread {
    guard case .thread(let thread) = value else {
      throw LuaMismatch.expected("coroutine", got: value)
    }
    return thread
  }

  public func toLua(in state: LuaState) throws -> LuaValue { .thread(self) }
}

extension LuaUserdata: LuaConvertible {
  public static func fromLua(_ value: LuaValue) throws -> LuaUserdata {
    guard case .userdata(let userdata) = value else {
      throw LuaMismatch.expected("userdata", got: value)
    }
    return userdata
  }

  public func toLua(in state: LuaState) throws -> LuaValue { .userdata(self) }
}

extension LuaObject: LuaConvertible {
  public static func fromLua(_ value: LuaValue) throws -> LuaObject {
    guard case .object(let object) = value else {
      throw LuaMismatch.expected("data object", got: value)
    }
    return object
  }

  public func toLua(in state: LuaState) throws -> LuaValue { .object(self) }
}
