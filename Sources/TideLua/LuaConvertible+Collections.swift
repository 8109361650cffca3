extension Optional: LuaConvertible where Wrapped: LuaConvertible {
  /// Nil is nil, and so is what is missing.
  public static func fromLua(_ value: LuaValue) throws -> Wrapped? {
    if case .nil = value { nil } else { try Wrapped.fromLua(value) }
  }

  public func toLua(in state: LuaState) throws -> LuaValue {
    try self?.toLua(in: state) ?? .nil
  }
}

extension Array: LuaConvertible where Element: LuaConvertible {
  /// Takes a sequence, up to its border and without metamethods; bytes also take text.
  public static func fromLua(_ value: LuaValue) throws -> [Element] {
    if Element.self == UInt8.self, let bytes = value.utf8 as? [Element] { return bytes }
    guard case .table(let table) = value else {
      throw LuaMismatch.expected(Element.self == UInt8.self ? "string" : "table", got: value)
    }
    let values = try table.sequence()
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      do { elements.append(try Element.fromLua(value)) } catch let error as LuaMismatch {
        throw error.inside("[\(index + 1)]")
      }
    }
    return elements
  }

  /// A sequence; of bytes, text. Nil has no place in it and is refused.
  public func toLua(in state: LuaState) throws -> LuaValue {
    if let bytes = self as? [UInt8] { return .bytes(bytes) }
    var values: [LuaValue] = []
    values.reserveCapacity(count)
    for (index, element) in enumerated() {
      let value = try element.toLua(in: state)
      if value.isNil { throw LuaMismatch.unsuitable("[\(index + 1)]: a sequence holds no nil") }
      values.append(value)
    }
    return .table(try state.table(values))
  }
}

extension Dictionary: LuaConvertible where Key: LuaConvertible, Value: LuaConvertible {
  /// Takes all entries of a table, without metamethods.
  public static func fromLua(_ value: LuaValue) throws -> [Key: Value] {
    guard case .table(let table) = value else { throw LuaMismatch.expected("table", got: value) }
    var entries: [Key: Value] = [:]
    for (key, value) in try table.entries() {
      do { entries[try Key.fromLua(key)] = try Value.fromLua(value) } catch let error as LuaMismatch
      {
        throw error.inside("[\(key.written)]")
      }
    }
    return entries
  }

  /// A table. A value of nil leaves its entry out, as assigning nil does.
  public func toLua(in state: LuaState) throws -> LuaValue {
    let table = try state.table(fields: count)
    for (key, value) in self {
      try table.rawSet(try key.toLua(in: state), try value.toLua(in: state))
    }
    return .table(table)
  }
}

extension LuaMismatch {
  /// The mismatch of an element, for the whole to report.
  func inside(_ place: String) -> LuaMismatch { .unsuitable("\(place): \(description)") }
}

extension LuaValue {
  /// The bytes of text.
  var utf8: [UInt8]? {
    switch self {
    case .string(let string): Array(string.utf8)
    case .bytes(let bytes): bytes
    default: nil
    }
  }

  /// A key as a script would write it.
  var written: String {
    switch self {
    case .string(let string): "\"\(string)\""
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    default: typeName
    }
  }
}
