extension LuaTable {
  /// The value of a key as a Swift value, with metamethods; a missing value is nil.
  ///
  /// ```swift
  /// let width = try table["width", as: Int.self]
  /// let title = try table["title", as: String?.self] ?? "untitled"
  /// ```
  ///
  /// - Throws: `LuaError`, also if the value does not fit: "bad field 'width' (number expected, got
  ///   nil)".
  public subscript<Content: TideConvertible>(key: LuaValue, as type: Content.Type) -> Content {
    get throws {
      let value = try self[key]
      do { return try Content.fromLua(value) } catch {
        guard let reason = ValueMismatch.reason(error, of: value.typeName) else { throw error }
        throw LuaError(.runtime, "bad field \(Self.shown(key)) (\(reason))")
      }
    }
  }

  /// Sets the value of a key to a Swift value, with metamethods; nil removes the entry.
  ///
  /// ```swift
  /// try table.set("size", to: [80, 24])
  /// ```
  ///
  /// - Throws: `LuaError`, also if Lua cannot represent the value.
  public func set(_ key: LuaValue, to content: some TideConvertible) throws {
    let value: LuaValue
    do { value = try content.toLua(in: try open()) } catch {
      guard let reason = ValueMismatch.reason(error) else { throw error }
      throw LuaError(.runtime, "bad field \(Self.shown(key)) (\(reason))")
    }
    try set(key, value)
  }

  private static func shown(_ key: LuaValue) -> String {
    switch key {
    case .string(let name): "'\(name)'"
    case .integer(let index): "#\(index)"
    default: "of a \(key.typeName)"
    }
  }
}
