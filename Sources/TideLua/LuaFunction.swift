import CTideLua

/// A Lua function: of a script, or a Swift function passed to Lua.
///
/// ```swift
/// let larger = try state.run("return math.max", name: "=max")[0].function
/// try larger?.call([3, 7])   // [7]
/// ```
///
/// Call it on its state's thread; it may be released on any thread. See ``LuaReference``.
public final class LuaFunction: LuaReference {
  /// The first line of its definition; nil for a host function.
  public var location: LuaLocation? {
    var line: Int32 = 0
    return LuaLocation(tide_function_location(machine, id, &line), line)
  }

  /// The number of named parameters; `Int(Int32.max)` if it is variadic.
  public var parameterCount: Int { Int(max(0, tide_function_parameters(machine, id))) }

  /// Calls the function. A message handler records the traceback of an error.
  ///
  /// - Throws: `LuaError` for an error raised by the function, an exceeded budget, or a closed
  ///   state.
  @discardableResult
  public func call(_ arguments: [LuaValue]) throws(LuaError) -> [LuaValue] {
    let state = try open()
    var frame = TideFrame()
    let status = try state.withArguments(arguments) { values, count in
      tide_call(state.raw, id, values, count, &frame)
    }
    return try state.all(status, &frame)
  }

  /// Calls the function within a budget. See `LuaState.within`.
  ///
  /// - Throws: `LuaError`; of kind `time` or `memory` if the call exceeds the budget.
  @discardableResult
  public func call(_ arguments: [LuaValue], budget: LuaBudget?) throws(LuaError) -> [LuaValue] {
    try open().within(budget) { () throws(LuaError) in try call(arguments) }
  }

  /// Calls the function and returns its first result.
  ///
  /// - Throws: as `call(_:)` does.
  @discardableResult
  public func callAsFunction(_ arguments: LuaValue...) throws(LuaError) -> LuaValue {
    let state = try open()
    var frame = TideFrame()
    let status = try state.withArguments(arguments) { values, count in
      tide_call(state.raw, id, values, count, &frame)
    }
    return try state.one(status, &frame)
  }

  /// Calls the function with one argument and returns its first result; nil if it returned nothing
  /// at all.
  package func first(_ argument: LuaValue) throws(LuaError) -> LuaValue? {
    let state = try open()
    var frame = TideFrame()
    let status = try state.withArguments([argument]) { values, count in
      tide_call(state.raw, id, values, count, &frame)
    }
    let isEmpty = status != TIDE_FAILED && frame.count == 0
    let value = try state.one(status, &frame)
    // Written out, because a plain `nil` would be a `LuaValue`.
    return isEmpty ? Optional.none : value
  }

  /// Calls the function with a number and returns a number; nil if the result is not one. Allocates
  /// nothing.
  ///
  /// - Throws: as `call(_:)` does.
  public func callAsFunction(number: Double) throws(LuaError) -> Double? {
    var frame = TideFrame()
    var result = 0.0
    let status = tide_call_number(machine, id, number, &result, &frame)
    if _fastPath(status == TIDE_OK) { return result }
    if status == TIDE_FAILED { throw error(ending: &frame) }
    tide_frame_end(machine, &frame)
    return nil
  }

  /// Calls the function with a string and returns its first result.
  ///
  /// - Throws: as `call(_:)` does.
  public func callAsFunction(string: String) throws(LuaError) -> LuaValue {
    var frame = TideFrame()
    var result = TideValue()
    var string = string
    let status = string.withUTF8 { text in
      var argument = TideValue(text: text.cString, count: text.count)
      return tide_call_once(machine, id, &argument, &result, &frame)
    }
    if status == TIDE_FAILED { throw error(ending: &frame) }
    if result.tag >= TIDE_LUA_TABLE { return try open().one(status, &frame) }
    let value = LuaValue(scalar: result)
    tide_frame_end(machine, &frame)
    return value
  }
}
