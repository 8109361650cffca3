/// The arguments of a call to an asynchronous function, valid beyond the call itself.
///
/// ```swift
/// try state.register("wait") { arguments in
///   try await Task.sleep(for: .milliseconds(try arguments.argument(0, as: Int.self)))
///   return []
/// }
/// ```
public struct LuaArguments {
  /// The name with which the function was created.
  public let name: String
  /// All arguments, in order.
  public let values: [LuaValue]
  /// The state of the calling script.
  public let state: LuaState

  init(_ values: [LuaValue], to name: String, in state: LuaState) {
    self.values = values
    self.name = name
    self.state = state
  }

  /// The number of arguments.
  public var count: Int { values.count }

  /// The argument, counted from 0; nil when it is missing.
  public subscript(index: Int) -> LuaValue {
    values.indices.contains(index) ? values[index] : .nil
  }

  /// The argument as a Swift value.
  ///
  /// - Throws: `LuaError` in Lua's wording if it does not fit: "bad argument #1 to 'wait' (number
  ///   expected, got no value)".
  public func argument<Value: TideConvertible>(
    _ index: Int, as type: Value.Type = Value.self
  ) throws -> Value {
    do { return try Value.fromLua(self[index]) } catch {
      let isMissing = !values.indices.contains(index)
      let found = isMissing ? "no value" : self[index].typeName
      guard let reason = ValueMismatch.reason(error, of: found) else { throw error }
      throw badArgument(index, reason)
    }
  }

  /// The error for an invalid argument.
  public func badArgument(_ index: Int, _ why: String) -> LuaError {
    LuaError(.runtime, "bad argument #\(index + 1) to '\(name)' (\(why))")
  }
}

extension LuaArguments {
  /// Converts a result for the script.
  func result<Value: TideConvertible>(_ value: Value, _ index: Int) throws -> LuaValue {
    do { return try value.toLua(in: state) } catch let error as ValueMismatch {
      throw LuaError(.runtime, "bad result #\(index) of '\(name)' (\(error))")
    }
  }
}
