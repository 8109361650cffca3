import CTideLua

/// A Lua table.
///
/// ```swift
/// let table = try state.table(["name": "fig"])
/// try table["name"]            // "fig", with metamethods
/// try table.rawSet("ripe", true)
/// ```
///
/// Access it on its state's thread; it may be released on any thread. See ``LuaReference``.
public final class LuaTable: LuaReference {
  /// The value of a key, with metamethods.
  ///
  /// - Throws: `LuaError` for an error raised by a metamethod, exhausted memory, or a closed state.
  public subscript(key: LuaValue) -> LuaValue {
    get throws(LuaError) { try get(key, raw: false) }
  }

  /// Sets the value of a key, with metamethods; nil removes the entry.
  ///
  /// - Throws: `LuaError` for an error raised by a metamethod, a nil or NaN key, or a closed state.
  public func set(_ key: LuaValue, _ value: LuaValue) throws(LuaError) {
    try set(key, value, raw: false)
  }

  /// The value of a key, without metamethods.
  ///
  /// - Throws: `LuaError` for a closed state, or if memory is exhausted.
  public func rawGet(_ key: LuaValue) throws(LuaError) -> LuaValue { try get(key, raw: true) }

  /// Sets the value of a key, without metamethods; nil removes the entry. The key may be neither
  /// nil nor NaN.
  ///
  /// - Throws: `LuaError` for an invalid key, a protected table, exhausted memory or a closed
  ///   state.
  public func rawSet(_ key: LuaValue, _ value: LuaValue) throws(LuaError) {
    try set(key, value, raw: true)
  }

  /// Stores a Swift function under a name in a table of getters, setters or fallbacks.
  func setMember(_ name: String, _ function: LuaFunction) throws(LuaError) {
    let state = try open()
    var frame = TideFrame(), name = name
    let status = name.withUTF8 { text in
      tide_member_set(state.raw, id, text.cString, text.count, function.id, &frame)
    }
    try state.none(status, &frame)
  }

  /// Takes over the contents and metatable of another table. Local variables in a chunk's functions
  /// that refer to the other table refer to this one from now on.
  package func adopt(_ other: LuaTable, from chunk: String) throws(LuaError) {
    let state = try open()
    var frame = TideFrame()
    try state.none(tide_table_adopt(state.raw, id, other.id, chunk, &frame), &frame)
  }

  /// The length of the sequence, as with `#` but without metamethods.
  ///
  /// - Throws: `LuaError` for a closed state.
  public var rawCount: Int {
    get throws(LuaError) {
      let state = try open()
      var frame = TideFrame()
      return try state.one(tide_table_length(state.raw, id, true, &frame), &frame).integer ?? 0
    }
  }

  /// The length, as with `#`, including metamethods.
  ///
  /// - Throws: `LuaError` for an error raised by a metamethod, or for a closed state.
  public var count: Int {
    get throws(LuaError) {
      let state = try open()
      var frame = TideFrame()
      return try state.one(tide_table_length(state.raw, id, false, &frame), &frame).integer ?? 0
    }
  }

  /// Iterates over all entries, in no particular order and without metamethods, until `body`
  /// returns false.
  ///
  /// `body` may change and remove entries but must not add any.
  ///
  /// - Throws: errors of `body`, and `LuaError` for a closed state.
  public func forEach(_ body: (LuaValue, LuaValue) throws -> Bool) throws {
    let state = try open()
    var frame = TideFrame()
    var status = tide_table_begin(state.raw, id, &frame)
    while status == TIDE_OK {
      status = tide_table_next(state.raw, &frame)
      guard status == TIDE_OK, frame.count == 2 else { break }
      let (key, value) = (try state.result(0, &frame), try state.result(1, &frame))
      do {
        guard try body(key, value) else { break }
      } catch {
        tide_frame_end(state.raw, &frame)
        throw error
      }
    }
    try state.none(status, &frame)
  }

  /// All entries.
  ///
  /// - Throws: `LuaError` if the turn's time or memory budget is exceeded, or for a closed state.
  public func entries() throws(LuaError) -> [(key: LuaValue, value: LuaValue)] {
    do {
      return try open().gather {
        var entries: [(key: LuaValue, value: LuaValue)] = []
        try forEach { key, value in
          entries.append((key, value))
          return true
        }
        return entries
      }
    } catch let error as LuaError {
      throw error
    } catch {
      throw LuaError(.runtime, "\(error)")
    }
  }

  /// The values at 1, 2, … up to the first nil, without metamethods.
  ///
  /// - Throws: `LuaError` if the turn's time or memory budget is exceeded, or for a closed state.
  public func sequence() throws(LuaError) -> [LuaValue] {
    var values: [LuaValue] = []
    try open().gather { () throws(LuaError) in
      while true {
        let value = try rawGet(.integer(values.count + 1))
        if value.isNil { return }
        values.append(value)
      }
    }
    return values
  }

  /// Sets the table's metatable; nil removes it.
  ///
  /// - Throws: `LuaError` for a closed state.
  public func setMetatable(_ metatable: LuaTable?) throws(LuaError) {
    let state = try open()
    var frame = TideFrame()
    let status = tide_table_set_metatable(state.raw, id, try state.id(of: metatable), &frame)
    try state.none(status, &frame)
  }

  /// Sets a metatable and protects the table from scripts: `rawset` refuses it, and the metatable
  /// is hidden. Assignments go to the metatable's `__newindex`, which is required.
  package func protect(with metatable: LuaTable) throws(LuaError) {
    let state = try open()
    var frame = TideFrame()
    try state.none(tide_table_guard(state.raw, state.id(of: metatable), &frame), &frame)
    try metatable.rawSet("__metatable", false)
    try setMetatable(metatable)
  }

  /// An empty proxy table for reading this table; it refuses all changes by scripts, including
  /// `rawset`.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  public func sealed(as name: String) throws(LuaError) -> LuaTable {
    let state = try open()
    var frame = TideFrame()
    let status = tide_table_seal(state.raw, id, name, &frame)
    guard case .table(let table) = try state.one(status, &frame) else { throw .closed }
    return table
  }

  private func get(_ key: LuaValue, raw: Bool) throws(LuaError) -> LuaValue {
    let state = try open()
    var frame = TideFrame()
    let status = try state.withArguments([key]) { values, _ in
      guard let values else { return Int32(TIDE_FAILED) }
      return tide_table_get(state.raw, id, values, raw, &frame)
    }
    return try state.one(status, &frame)
  }

  private func set(_ key: LuaValue, _ value: LuaValue, raw: Bool) throws(LuaError) {
    let state = try open()
    var frame = TideFrame()
    let status = try state.withArguments([key, value]) { values, _ in
      guard let values else { return Int32(TIDE_FAILED) }
      return tide_table_set(state.raw, id, values, values + 1, raw, &frame)
    }
    try state.none(status, &frame)
  }
}

extension LuaState {
  /// Creates an empty table with a given capacity.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  public func table(array: Int = 0, fields: Int = 0) throws(LuaError) -> LuaTable {
    var frame = TideFrame()
    let status = tide_table_make(raw, UInt32(clamping: array), UInt32(clamping: fields), &frame)
    guard case .table(let table) = try one(status, &frame) else { throw .closed }
    return table
  }

  /// Creates a table with fields.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  public func table(_ fields: KeyValuePairs<String, LuaValue>) throws(LuaError) -> LuaTable {
    let table = try table(fields: fields.count)
    for (key, value) in fields { try table.rawSet(.string(key), value) }
    return table
  }

  /// Creates a sequence.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  public func table(_ values: [LuaValue]) throws(LuaError) -> LuaTable {
    let table = try table(array: values.count)
    for (index, value) in values.enumerated() { try table.rawSet(.integer(index + 1), value) }
    return table
  }
}
