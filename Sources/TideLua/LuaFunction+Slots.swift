package import CTideLua

extension LuaFunction {
  /// Calls it with the value that a slot holds and lets `body` look at the result, without
  /// allocating; text in it is good only that long.
  ///
  /// The result is one of the scalars, text or a data object; of anything else only the tag is
  /// told, and `LuaResult.value()` gives it.
  package func withResult<Value>(
    ofCallingWith slot: UnsafeMutablePointer<TideSlot>,
    _ body: (borrowing LuaResult) throws -> Value
  ) throws -> Value {
    let state = try open()
    var argument = TideValue(tag: TIDE_LUA_SLOT)
    argument.slot = slot
    var result = LuaResult(state: state)
    let status = tide_call_once(state.raw, id, &argument, &result.cell, &result.frame)
    if status == TIDE_FAILED { throw state.error(ending: &result.frame) }
    defer { tide_frame_end(state.raw, &result.frame) }
    return try body(result)
  }

  /// Calls it with values in the shim's form, for a caller that makes them without allocating.
  package func withResult<Value>(
    ofCallingWith arguments: UnsafeBufferPointer<TideValue>,
    _ body: (borrowing LuaResult) throws -> Value
  ) throws -> Value {
    let state = try open()
    var result = LuaResult(state: state)
    let status = tide_call(
      state.raw, id, arguments.baseAddress, UInt32(arguments.count), &result.frame)
    if status == TIDE_FAILED { throw state.error(ending: &result.frame) }
    defer { tide_frame_end(state.raw, &result.frame) }
    guard tide_frame_value(state.raw, &result.frame, 0, &result.cell) == TIDE_OK else {
      throw LuaError.memory
    }
    result.ownsReference = true
    return try body(result)
  }
}

/// The first result of a call, as long as it lies on Lua's stack.
package struct LuaResult: ~Copyable {
  package let state: LuaState
  package fileprivate(set) var cell = TideValue()
  fileprivate var frame = TideFrame()
  fileprivate var ownsReference = false

  fileprivate init(state: LuaState) { self.state = state }

  /// The result as a value that stays.
  package func value() throws(LuaError) -> LuaValue {
    if ownsReference || cell.tag < TIDE_LUA_TABLE { return state.take(cell) }
    var frame = frame
    var value = TideValue()
    guard tide_frame_value(state.raw, &frame, 0, &value) == TIDE_OK else { throw .memory }
    return state.take(value)
  }

  /// Stores the result in a slot as a script's assignment would: whether it changed, or nil when
  /// the slot's type or access wants the host to do it.
  package func store(in slot: UnsafeMutablePointer<TideSlot>) -> Bool? {
    var frame = frame
    return switch tide_frame_store(state.raw, &frame, slot) {
    case 0: false
    case 1: true
    default: nil
    }
  }
}
