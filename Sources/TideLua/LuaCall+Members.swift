// Helpers for functions of user types: reading arguments, and assigning errors to the caller.

import CTideLua

extension LuaCall {
  /// Runs a property's function; its errors are raised at the script's line, even if the property
  /// was accessed through a function of this library.
  func blamingCaller(_ body: () throws -> Void) throws {
    do { try body() } catch { throw blamedOnCaller(error) }
  }

  /// An error located at the script's line, unless it has a location of its own.
  @usableFromInline func blamedOnCaller(_ error: any Error) -> any Error {
    guard let error = error as? LuaError else {
      return LuaError(.host, state.errorMessage(error), at: location, cause: error)
    }
    if error.location != nil { return error }
    return LuaError(error.kind, error.message, at: location, cause: error.cause)
  }

  /// The value that a script assigns to a property.
  func content<Content: TideConvertible>(
    _ index: Int, of label: @autoclosure () -> String
  ) throws -> Content {
    do { return try converted(index, as: Content.self) } catch {
      guard let reason = ValueMismatch.reason(error, of: typeName(index)) else { throw error }
      throw LuaError(.runtime, "bad value for \(label()) (\(reason))")
    }
  }

  /// The value that a script assigns to a static property.
  @usableFromInline func content<Content: TideConvertible>(
    assignedTo name: String, of type: String
  ) throws -> Content {
    try content(1, of: "\(type).\(name)")
  }

  /// Adds the value of a property as a result; the first argument holds it.
  @usableFromInline func give<Content: TideConvertible>(
    held content: Content, as name: String
  ) throws {
    try self.return(held: content, at: .string(name))
  }

  /// The key that a script looks up.
  func key<Key: TideConvertible>(
    _ index: Int, of type: String, _ missing: String
  ) throws -> Key {
    do { return try converted(index, as: Key.self) } catch {
      guard ValueMismatch.reason(error) != nil else { throw error }
      throw LuaError(.runtime, "\(type) has no \(missing) '\(keyText(index))'")
    }
  }

  /// A key as text for messages.
  func keyText(_ index: Int) -> String {
    switch try? value(index) {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    default: typeName(index)
    }
  }
}

// Arguments of a single type, read without conversion. Arguments of other types are left to the
// conversion.

extension LuaCall {
  /// The Swift object behind an argument, if there is one.
  @usableFromInline func hostObject(_ index: Int) -> UnsafeMutableRawPointer? {
    tide_call_read_userdata(raw, Int32(index))
  }

  @usableFromInline func plainNumber(_ index: Int) -> Double? {
    var cell = TideValue()
    tide_call_peek(raw, Int32(index), &cell)
    if cell.tag == UInt32(TIDE_LUA_NUMBER) { return cell.number }
    return cell.tag == UInt32(TIDE_LUA_INTEGER) ? Double(exactly: cell.integer) : nil
  }

  @usableFromInline func plainInteger(_ index: Int) -> Int? {
    var cell = TideValue()
    tide_call_peek(raw, Int32(index), &cell)
    return cell.tag == UInt32(TIDE_LUA_INTEGER) ? Int(cell.integer) : nil
  }

  @usableFromInline func plainFlag(_ index: Int) -> Bool? {
    var cell = TideValue()
    tide_call_peek(raw, Int32(index), &cell)
    return cell.tag == UInt32(TIDE_LUA_BOOLEAN) ? cell.integer != 0 : nil
  }
}
