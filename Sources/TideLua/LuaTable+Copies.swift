import CTideLua
package import TideValues

// What scripts see of Swift values that an object holds: they change the object.

extension LuaState {
  /// Whether scripts see a copy of an object of Swift, which stands for a value.
  package static func isValue(_ object: AnyObject) -> Bool {
    object is AnyValueBox || object is AnyLuaCell
  }

  /// A value that an owner holds under a key, as scripts see it: what they change in a copy is
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

  /// The function that assigns to a member of any object.
  func memberAssignment() throws(LuaError) -> LuaFunction {
    if let memberWriter { return memberWriter }
    let source = "local object, name, value = ... object[name] = value"
    let writer = try load(source, name: Self.ownChunk("member"))
    memberWriter = writer
    return writer
  }
}

extension LuaCall {
  /// Adds what the first argument holds under a key.
  func `return`<Content: TideConvertible>(
    held content: Content, at key: @autoclosure () throws -> LuaValue
  ) throws {
    guard Content.valueType == .any, Content.self != LuaValue.self else {
      return try self.return(converting: content, 1)
    }
    let value = try content.toValue()
    guard case .object(let object) = value, LuaState.isValue(object) else {
      return try self.return(converting: content, 1)
    }
    do {
      self.return(try state.lower(value, heldBy: self.value(0), at: key()))
    } catch let error as ValueMismatch {
      let function = name.map { " of '\($0)'" } ?? ""
      throw LuaError(.runtime, "bad result #1\(function) (\(error))")
    }
  }
}

extension LuaTable {
  /// Makes this the contents of what scripts see of a value that an owner holds under a key. What a
  /// script assigns to its fields, and to those of tables in it, is assigned to the owner: the value
  /// is read once more, changed and assigned as a whole. Where it has changed since this was made,
  /// that is an error.
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
