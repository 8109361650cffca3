import CTideLua

/// A function of the interpreter: a script's, or a Swift one that was given to it.
///
/// ```swift
/// let larger = try state.run("return math.max", name: "=max")[0].function
/// try larger?.call([3, 7])   // [7]
/// ```
///
/// Calls are made on the thread of its state; it may be released on any. See ``LuaReference``.
public final class LuaFunction: LuaReference {
  /// The line where its definition begins; nil for a function of the host's.
  public var location: LuaLocation? {
    var line: Int32 = 0
    return LuaLocation(tide_function_location(machine, id, &line), line)
  }

  /// How many parameters it names; `Int(Int32.max)` when it takes any number.
  public var parameterCount: Int { Int(max(0, tide_function_parameters(machine, id))) }

  /// Calls it. A message handler notes the traceback of an error.
  ///
  /// - Throws: `LuaError` for what the function raises, for a budget used up, or for a closed
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

  /// Calls it within a budget of its own. See `LuaState.within`.
  ///
  /// - Throws: `LuaError`: of kind `time` or `memory` where the call took more.
  @discardableResult
  public func call(_ arguments: [LuaValue], budget: LuaBudget?) throws(LuaError) -> [LuaValue] {
    try open().within(budget) { () throws(LuaError) in try call(arguments) }
  }

  /// Calls it with arguments and gives the first result.
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

  /// Calls it with one argument and gives the first result; nil when it returned nothing at all.
  package func first(_ argument: LuaValue) throws(LuaError) -> LuaValue? {
    let state = try open()
    var frame = TideFrame()
    let status = try state.withArguments([argument]) { values, count in
      tide_call(state.raw, id, values, count, &frame)
    }
    let isEmpty = status != TIDE_FAILED && frame.count == 0
    let value = try state.one(status, &frame)
    // Spelled out, because a plain `nil` would be Lua's.
    return isEmpty ? Optional.none : value
  }

  /// Calls it with a number for a number; nil when the result is none. Allocates nothing.
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

  /// Calls it with a string and gives the first result.
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
