import CTideLua

extension LuaState {
  /// Encodes a value as a Lua value.
  ///
  /// ```swift
  /// struct Point: Codable { var x, y: Double }
  /// let value = try state.encode([Point(x: 1, y: 2)])   // { { x = 1.0, y = 2.0 } }
  /// ```
  ///
  /// Structures and dictionaries become tables, with integers for integer coding keys. Arrays
  /// become sequences, from 1; `Data` and `[UInt8]` become strings; a `Date` becomes the seconds
  /// since 1970, as in `os.time`; a `URL` becomes a string; a `Decimal` becomes a number. A nil
  /// field is omitted, as when nil is assigned; nil in a sequence is an error, because Lua
  /// sequences cannot contain it.
  ///
  /// - Throws: `EncodingError` with the path of a value that Lua cannot represent (an integer above
  ///   `Int.max`, nil in a sequence, excessive depth); `LuaError` if the state is closed or out of
  ///   memory.
  public func encode(
    _ value: some Encodable, with options: LuaCodingOptions = LuaCodingOptions()
  ) throws -> LuaValue {
    let context = EncodingContext(options)
    let encoded = try context.encode(value, depth: 0) { nil }
    return try context.write(encoded, in: self)
  }

  /// Decodes a Lua value as a Swift value.
  ///
  /// ```swift
  /// struct Point: Codable { var x, y: Double }
  /// let points = try state.decode([Point].self, from: value)
  /// ```
  ///
  /// Reads the output of `encode`, without metamethods. An empty table decodes as an empty array or
  /// dictionary; a number without a fraction also decodes as an integer; a sequence may have no
  /// other fields. Functions, coroutines and userdata cannot be decoded, but are ignored unless
  /// requested, and so are cyclic tables.
  ///
  /// - Throws: `DecodingError` whose path consists of Lua keys, with sequences counted from 1;
  ///   `LuaError` if the table exceeds the options' limits or the budgets, or the state is closed.
  public func decode<Value: Decodable>(
    _ type: Value.Type, from value: LuaValue, with options: LuaCodingOptions = LuaCodingOptions()
  ) throws -> Value {
    try value.decode(type, with: options)
  }
}

extension LuaValue {
  /// Decodes this value; see `LuaState.decode`.
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
  /// Decodes this table; see `LuaState.decode`.
  ///
  /// - Throws: `DecodingError` or `LuaError`, as `LuaState.decode` does.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, with options: LuaCodingOptions = LuaCodingOptions()
  ) throws -> Value {
    try LuaValue.table(self).decode(type, with: options)
  }
}
