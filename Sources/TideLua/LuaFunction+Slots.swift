package import CTideLua

extension LuaFunction {
  /// Calls the function with the value in a slot. Allocates only if the slot's string is not yet
  /// known to Lua.
  package func call(
    with slot: UnsafeMutablePointer<TideSlot>
  ) throws(LuaError) -> LuaResult {
    var argument = TideValue(slot: slot)
    return try call(with: &argument)
  }

  /// Calls the function with one value in the shim's representation.
  package func call(with argument: inout TideValue) throws(LuaError) -> LuaResult {
    var result = LuaResult(self, machine)
    let status = tide_call_once(machine, id, &argument, &result.cell, &result.frame)
    if _slowPath(status == TIDE_FAILED) { throw error(ending: &result.frame) }
    result.isOpen = true
    return result
  }

  /// Calls the function with the value of one slot and stores the result in another, like a
  /// script's assignment. Returns whether the target changed. If the target's type or access level
  /// requires the host to assign it, `otherwise` receives the result.
  @inline(__always)
  package func call(
    from source: UnsafeMutablePointer<TideSlot>, to target: UnsafeMutablePointer<TideSlot>,
    otherwise: (borrowing LuaResult) throws -> Bool
  ) throws -> Bool {
    var frame = TideFrame()
    let stored = tide_call_between(machine, id, source, target, &frame)
    if _fastPath(stored >= 0) { return stored == 1 }
    if stored == -2 { throw error(ending: &frame) }
    if stored == TIDE_NO_RESULT {
      tide_frame_end(machine, &frame)
      throw LuaNoResult()
    }
    let result = LuaResult(self, machine, open: frame)
    return try otherwise(result)
  }

  /// Calls the function with two values and returns the truth value of its first result.
  package func holds(_ first: TideValue, _ second: TideValue) throws(LuaError) -> Bool {
    var frame = TideFrame()
    let answer = withUnsafePointer(to: (first, second)) { pair in
      pair.withMemoryRebound(to: TideValue.self, capacity: 2) {
        tide_call_test(machine, id, $0, 2, &frame)
      }
    }
    if _slowPath(answer < 0) { throw error(ending: &frame) }
    return answer == 1
  }

  /// Calls the function and discards its results.
  package func send(_ arguments: UnsafeBufferPointer<TideValue>) throws(LuaError) {
    var frame = TideFrame()
    let status = tide_call_discarding(
      machine, id, arguments.baseAddress, UInt32(arguments.count), &frame)
    if _slowPath(status != TIDE_OK) { throw error(ending: &frame) }
  }

  /// Calls the function with one value and discards its results.
  package func send(_ argument: TideValue) throws(LuaError) {
    var argument = argument
    var frame = TideFrame()
    let status = tide_call_discarding(machine, id, &argument, 1, &frame)
    if _slowPath(status != TIDE_OK) { throw error(ending: &frame) }
  }

  /// Calls the function with values in the shim's representation, for callers that create them
  /// without allocation.
  package func call(
    with arguments: UnsafeBufferPointer<TideValue>
  ) throws(LuaError) -> LuaResult {
    var frame = TideFrame()
    let status = tide_call(
      machine, id, arguments.baseAddress, UInt32(arguments.count), &frame)
    if _slowPath(status == TIDE_FAILED) { throw error(ending: &frame) }
    return LuaResult(self, machine, open: frame)
  }
}

/// A function that should return a value returned nothing, not even nil.
package struct LuaNoResult: Error {}

/// The first result of a call, which stays on Lua's stack while this value exists.
///
/// Results must end in the reverse order of their calls.
package struct LuaResult: ~Copyable {
  /// The result: a scalar, a data object, or a string that is valid while this value exists. For
  /// other results only the tag is set.
  package fileprivate(set) var cell = TideValue()
  fileprivate var frame = TideFrame()
  fileprivate var isOpen = false
  // Unowned, because the caller holds the function, and retaining it would cost more than the rest.
  private unowned(unsafe) let function: LuaFunction
  private let machine: OpaquePointer

  fileprivate init(_ function: LuaFunction, _ machine: OpaquePointer) {
    self.function = function
    self.machine = machine
  }

  init(_ function: LuaFunction, _ machine: OpaquePointer, open frame: TideFrame) {
    self.init(function, machine)
    self.frame = frame
    isOpen = true
    tide_frame_peek(machine, &self.frame, &cell)
  }

  deinit {
    guard isOpen else { return }
    var frame = frame
    tide_frame_end(machine, &frame)
  }

  /// The result as a persistent value.
  package func value() throws(LuaError) -> LuaValue {
    if cell.tag < TIDE_LUA_TABLE { return LuaValue(scalar: cell) }
    var frame = frame
    var value = TideValue()
    guard tide_frame_value(machine, &frame, 0, &value) == TIDE_OK else { throw .memory }
    return try function.open().take(value)
  }
}

extension TideValue {
  /// Refers to the value in a slot.
  package init(slot: UnsafeMutablePointer<TideSlot>) {
    self.init()
    tag = UInt32(TIDE_LUA_SLOT)
    self.slot = slot
  }
}
