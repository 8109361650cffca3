package import CTideLua

/// Script functions that derive values from one another, each on a coroutine of its own: where one
/// reads a value that is to be derived first, it waits for that.
///
/// What is opened last ends first, and before whatever was opened around it.
package struct LuaDerivations: ~Copyable {
  private let state: LuaState
  private var frame = TideFrame()

  /// How a function has come to rest.
  package enum Rest: ~Copyable {
    case returned(LuaResult)
    /// It waits for this slot's value.
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

  /// Gives the coroutine at an index, from 0, a function to run with an argument.
  package func fill(
    _ index: Int, with function: LuaFunction, _ argument: inout TideValue
  ) throws(LuaError) {
    var step = TideFrame(), stack = frame
    let status = tide_derive_fill(
      state.raw, &stack, UInt32(index), function.id, &argument, &step)
    if status == TIDE_FAILED { throw state.error(ending: &step) }
  }

  /// Runs it, or lets it go on.
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

  /// Leaves it where it stands.
  package func giveUp(_ index: Int) {
    var stack = frame
    tide_derive_give_up(state.raw, &stack, UInt32(index))
  }
}
