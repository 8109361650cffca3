package import CTideLua

extension LuaFunction {
  /// Calls it with the value that a slot holds; nothing is allocated unless the slot's text is not
  /// known to Lua yet.
  package func call(
    with slot: UnsafeMutablePointer<TideSlot>
  ) throws(LuaError) -> LuaResult {
    var argument = TideValue(slot: slot)
    return try call(with: &argument)
  }

  /// Calls it with one value in the shim's form.
  package func call(with argument: inout TideValue) throws(LuaError) -> LuaResult {
    var result = LuaResult(self, machine)
    let status = tide_call_once(machine, id, &argument, &result.cell, &result.frame)
    if _slowPath(status == TIDE_FAILED) { throw error(ending: &result.frame) }
    result.isOpen = true
    return result
  }

  /// Calls it with the value of one slot and stores the result in another as a script's assignment
  /// would: whether that changed it. Where the target's type or access wants the host to do it,
  /// `otherwise` gets the result.
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

  /// Calls it with two values and says whether its first result counts as true.
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

  /// Calls it for what it does.
  package func send(_ arguments: UnsafeBufferPointer<TideValue>) throws(LuaError) {
    var frame = TideFrame()
    let status = tide_call_discarding(
      machine, id, arguments.baseAddress, UInt32(arguments.count), &frame)
    if _slowPath(status != TIDE_OK) { throw error(ending: &frame) }
  }

  /// Calls it with one value for what it does.
  package func send(_ argument: TideValue) throws(LuaError) {
    var argument = argument
    var frame = TideFrame()
    let status = tide_call_discarding(machine, id, &argument, 1, &frame)
    if _slowPath(status != TIDE_OK) { throw error(ending: &frame) }
  }

  /// Calls it with values in the shim's form, for a caller that makes them without allocating.
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

/// A function that was to give a value returned nothing, not even nil.
package struct LuaNoResult: Error {}

/// The first result of a call, which lies on Lua's stack as long as this lives.
///
/// Results end in the reverse order of their calls.
package struct LuaResult: ~Copyable {
  /// The result: a scalar, a data object, or text that is good as long as this lives. Of anything
  /// else only the tag is told.
  package fileprivate(set) var cell = TideValue()
  fileprivate var frame = TideFrame()
  fileprivate var isOpen = false
  // Whoever called it has it; keeping it would cost more than the rest.
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

  /// The result as a value that stays.
  package func value() throws(LuaError) -> LuaValue {
    if cell.tag < TIDE_LUA_TABLE { return LuaValue(scalar: cell) }
    var frame = frame
    var value = TideValue()
    guard tide_frame_value(machine, &frame, 0, &value) == TIDE_OK else { throw .memory }
    return try function.open().take(value)
  }
}

extension TideValue {
  /// Stands for the value that a slot holds.
  package init(slot: UnsafeMutablePointer<TideSlot>) {
    self.init()
    tag = UInt32(TIDE_LUA_SLOT)
    self.slot = slot
  }
}
