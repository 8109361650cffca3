import CTideLua

extension LuaState {
  /// Makes a Lua value of an `Encodable` one.
  ///
  /// ```swift
  /// struct Point: Codable { var x, y: Double }
  /// let value = try state.encode([Point(x: 1, y: 2)])   // { { x = 1.0, y = 2.0 } }
  /// ```
  ///
  /// Structures and dictionaries become tables, integer coding keys integers; arrays become
  /// sequences, from 1; `Data` and `[UInt8]` text; a `Date` the seconds since 1970, as `os.time`
  /// counts; a `URL` its text; a `Decimal` a number. Nil leaves its field out, as assigning nil
  /// does; in a sequence it is refused, because Lua's cannot hold it.
  ///
  /// - Throws: `EncodingError` whose path leads to the value that Lua has none for (an integer
  ///   above `Int.max`, nil in a sequence, too deep); `LuaError` when the state is closed or out of
  ///   memory.
  public func encode(
    _ value: some Encodable, with options: LuaCodingOptions = LuaCodingOptions()
  ) throws -> LuaValue {
    let context = EncodingContext(options)
    let encoded = try context.encode(value, depth: 0) { nil }
    return try context.write(encoded, in: self)
  }

  /// Makes a Swift value of a script's.
  ///
  /// ```swift
  /// struct Point: Codable { var x, y: Double }
  /// let points = try state.decode([Point].self, from: value)
  /// ```
  ///
  /// Reads what `encode` makes, without metamethods. An empty table is an empty array as well as an
  /// empty dictionary; a number without a fraction is also an integer; a sequence may have no other
  /// fields. Functions, coroutines and userdata decode as nothing, but do no harm where they are
  /// not asked for, and neither does a table inside of itself.
  ///
  /// - Throws: `DecodingError` whose path names the Lua keys, sequences counting from 1; `LuaError`
  ///   when the table is too large for the options or the budgets, or the state is closed.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from value: LuaValue, with options: LuaCodingOptions = LuaCodingOptions()
  ) throws -> Value {
    try value.decode(type, with: options)
  }
}

extension LuaValue {
  /// Makes a Swift value of this; see `LuaState.decode`.
  ///
  /// - Throws: `DecodingError` or `LuaError`, as `LuaState.decode` does.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, with options: LuaCodingOptions = LuaCodingOptions()
  ) throws -> Value {
    let tape = try Tape(of: self, with: options)
    return try tape.decode(type, at: 0) { nil }
  }
}

extension LuaTable {
  /// Makes a Swift value of this; see `LuaState.decode`.
  ///
  /// - Throws: `DecodingError` or `LuaError`, as `LuaState.decode` does.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, with options: LuaCodingOptions = LuaCodingOptions()
  ) throws -> Value {
    try LuaValue.table(self).decode(type, with: options)
  }
}
