import CTideLua
package import TideValues

// Copies of Swift values contained in an object. Scripts' changes to a copy change the object.

extension LuaState {
  /// Whether scripts see a copy of a Swift object, because it represents a value.
  package static func isValue(_ object: AnyObject) -> Bool {
    object is AnyValueBox || object is AnyLuaCell
  }

  /// Converts a value contained in an owner under a key. A script's changes to the copy are
  /// assigned to the owner.
  package func lower(
    _ value: Value, heldBy owner: LuaValue, at key: LuaValue
  ) throws -> LuaValue {
    guard case .object(let object) = value else { return try lower(value) }
    switch object {
    case let cell as AnyLuaCell:
      return try lower(.object(cell.copied(from: owner, at: key)))
    case let box as AnyValueBox:
      let made = try lower(box, isHeld: true)
      guard case .table(let table) = made else { return made }
      return .table(try table.copied(from: owner, at: key))
    default: return try lower(value)
    }
  }

  /// A function that assigns to a member of any object.
  func memberAssignment() throws(LuaError) -> LuaFunction {
    if let memberWriter { return memberWriter }
    let source = "local object, name, value = ... object[name] = value"
    let writer = try load(source, name: Self.ownChunk("member"))
    memberWriter = writer
    return writer
  }
}

extension LuaCall {
  /// Adds a value as a result; the first argument contains it under a key.
  func `return`<Content: TideConvertible>(
    held content: Content, at key: @autoclosure () throws -> LuaValue
  ) throws {
    guard Content.valueType == .any, Content.self != LuaValue.self else {
      return try self.return(converting: content, 1)
    }
    do {
      let value = try content.toValue()
      if case .object(let object) = value, LuaState.isValue(object) {
        self.return(try state.lower(value, heldBy: self.value(0), at: key()))
      } else {
        try addResult(value)
      }
    } catch let error as ValueMismatch {
      let function = name.map { " of '\($0)'" } ?? ""
      throw LuaError(.runtime, "bad result #1\(function) (\(error))")
    }
  }
}

extension LuaTable {
  /// Makes a script's copy of a value that an owner contains under a key, with this table's
  /// contents. A script's assignments to its fields, or to those of nested tables, change the
  /// owner: the value is read again, changed and assigned as a whole. It is an error if the value
  /// has changed since the copy was made.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  package func copied(from owner: LuaValue, at key: LuaValue) throws(LuaError) -> LuaTable {
    let state = try open()
    var frame = TideFrame()
    let status = try state.withArguments([owner, key]) { values, _ in
      guard let values else { return Int32(TIDE_FAILED) }
      return tide_copy_make(state.raw, id, values, values + 1, &frame)
    }
    guard case .table(let copy) = try state.one(status, &frame) else { throw .closed }
    return copy
  }

  /// Whether it was made by `copied(from:at:)`. Its entries are then those of its contents.
  package var isCopy: Bool {
    get throws(LuaError) { try tide_table_is_copy(open().raw, id) }
  }
}
