package import CTideLua

/// Script functions that derive values from one another, each in its own coroutine. A function that
/// reads a value not yet derived is suspended until it is.
///
/// Derivations are strictly nested: the one opened last ends first.
package struct LuaDerivations: ~Copyable {
  private let state: LuaState
  private var frame = TideFrame()

  /// The state in which a function has stopped.
  package enum Rest: ~Copyable {
    case returned(LuaResult)
    /// Suspended until this slot has its value.
    case waits(UnsafeMutablePointer<TideSlot>)
  }

  package init(in state: LuaState) throws(LuaError) {
    self.state = state
    if tide_derive_open(state.raw, &frame) == TIDE_FAILED { throw state.error(ending: &frame) }
  }

  deinit {
    var frame = frame
    tide_frame_end(state.raw, &frame)
  }

  /// Assigns a function with an argument to the coroutine at an index, from 0.
  package func fill(
    _ index: Int, with function: LuaFunction, _ argument: inout TideValue
  ) throws(LuaError) {
    var step = TideFrame(), stack = frame
    let status = tide_derive_fill(
      state.raw, &stack, UInt32(index), function.id, &argument, &step)
    if status == TIDE_FAILED { throw state.error(ending: &step) }
  }

  /// Starts or resumes the coroutine.
  package func run(
    _ index: Int, of function: LuaFunction, isFirst: Bool
  ) throws(LuaError) -> Rest {
    var step = TideFrame(), stack = frame
    var wanted: UnsafeMutablePointer<TideSlot>?
    let status = tide_derive_run(state.raw, &stack, UInt32(index), isFirst, &wanted, &step)
    if status == TIDE_FAILED { throw state.error(ending: &step) }
    if status == TIDE_SUSPENDED, let wanted { return .waits(wanted) }
    return .returned(LuaResult(function, state.raw, open: step))
  }

  /// Abandons the coroutine.
  package func giveUp(_ index: Int) {
    var stack = frame
    tide_derive_give_up(state.raw, &stack, UInt32(index))
  }
}
