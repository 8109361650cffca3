// What the functions of a user type read of a call, and whom they blame.

extension LuaCall {
  /// Raises what a property's function throws at the script's line, which called by way of the
  /// metatable's function.
  func blamingCaller(_ body: () throws -> Void) throws {
    do { try body() } catch let error as LuaError {
      guard error.location == nil else { throw error }
      throw LuaError(error.kind, error.message, at: location(level: 2), cause: error.cause)
    } catch {
      throw LuaError(.host, state.errorMessage(error), at: location(level: 2), cause: error)
    }
  }

  /// What a script assigns to a property.
  func content<Content: TideConvertible>(
    _ index: Int, of label: @autoclosure () -> String
  ) throws -> Content {
    do { return try converted(index, as: Content.self) } catch {
      guard let reason = ValueMismatch.reason(error, of: typeName(index)) else { throw error }
      throw LuaError(.runtime, "bad value for \(label()) (\(reason))")
    }
  }

  /// The key that a script asks for.
  func key<Key: TideConvertible>(
    _ index: Int, of type: String, _ missing: String
  ) throws -> Key {
    do { return try converted(index, as: Key.self) } catch {
      guard ValueMismatch.reason(error) != nil else { throw error }
      throw LuaError(.runtime, "\(type) has no \(missing) '\(keyText(index))'")
    }
  }

  /// A key as messages show it.
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
