import CTideLua

/// Something that lives in the interpreter and is kept alive by Swift: a table, function, coroutine
/// or userdata.
///
/// ```swift
/// let list = try state.table()
/// list.state === state   // true
/// ```
///
/// Using one after its state is closed throws `LuaError` of kind `closed`. It may be dropped on any
/// thread; everything else happens on the state's.
public class LuaReference {
  final let pool: ReferencePool
  /// The shim's state, which is there as long as this, be it closed.
  final let machine: OpaquePointer
  final let id: UInt32

  init(taking id: UInt32, in state: LuaState) {
    pool = state.pool
    machine = state.raw
    self.id = id
  }

  deinit { tide_reference_drop(machine, id) }

  /// The state that this belongs to, or nil once that is gone.
  public final var state: LuaState? { pool.state }

  final func open() throws(LuaError) -> LuaState {
    guard let state = pool.state else { throw .closed }
    return state
  }

  /// The error of a call on `machine`, which costs less than `open`; ends the frame.
  @inline(never)
  final func error(ending frame: inout TideFrame) -> LuaError {
    pool.state?.error(ending: &frame) ?? .closed
  }
}

extension LuaReference: Equatable {
  /// Whether both stand for the same thing, without metamethods.
  public static func == (left: LuaReference, right: LuaReference) -> Bool {
    guard left.pool === right.pool, let state = left.pool.state else { return left === right }
    return tide_reference_equal(state.raw, left.id, right.id)
  }
}

extension LuaReference: Hashable {
  /// Feeds the identity of what Lua holds, which equal references share.
  public final func hash(into hasher: inout Hasher) {
    guard let state = pool.state else { return hasher.combine(ObjectIdentifier(self)) }
    hasher.combine(tide_reference_identity(state.raw, id))
  }
}

/// What the references of one state share; it outlives the state.
final class ReferencePool {
  let raw: OpaquePointer
  // Set to nil by the state's deinit; used on its thread only.
  unowned(unsafe) var state: LuaState?

  init(_ raw: OpaquePointer) {
    self.raw = raw
    tide_state_retain(raw)
  }

  deinit { tide_state_release(raw) }
}

extension LuaState {
  /// The number of a reference of this state's; 0 for none.
  func id(of reference: LuaReference?) throws(LuaError) -> UInt32 {
    guard let reference else { return 0 }
    guard reference.pool === pool else {
      throw LuaError(.runtime, "the value belongs to another Lua state")
    }
    return reference.id
  }
}
