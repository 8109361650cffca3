import CTideLua

/// A Lua object retained by Swift: a table, function, coroutine or userdata.
///
/// ```swift
/// let list = try state.table()
/// list.state === state   // true
/// ```
///
/// Using a reference after its state is closed throws `LuaError` of kind `closed`. It may be
/// released on any thread, but used only on the state's thread.
public class LuaReference {
  final let pool: ReferencePool
  /// The shim's state, which exists as long as this reference, even if closed.
  final let machine: OpaquePointer
  final let id: UInt32

  init(taking id: UInt32, in state: LuaState) {
    pool = state.pool
    machine = state.raw
    self.id = id
  }

  deinit { tide_reference_drop(machine, id) }

  /// The state of this reference; nil after the state is released.
  public final var state: LuaState? { pool.state }

  final func open() throws(LuaError) -> LuaState {
    guard let state = pool.state else { throw .closed }
    return state
  }

  /// The error of a failed call on `machine`; ends the frame. Cheaper than `open`.
  @inline(never)
  final func error(ending frame: inout TideFrame) -> LuaError {
    pool.state?.error(ending: &frame) ?? .closed
  }
}

extension LuaReference: Equatable {
  /// Whether both refer to the same Lua object; ignores metamethods.
  public static func == (left: LuaReference, right: LuaReference) -> Bool {
    guard left.pool === right.pool, let state = left.pool.state else { return left === right }
    return tide_reference_equal(state.raw, left.id, right.id)
  }
}

extension LuaReference: Hashable {
  /// Hashes the identity of the Lua object, which equal references share.
  public final func hash(into hasher: inout Hasher) {
    guard let state = pool.state else { return hasher.combine(ObjectIdentifier(self)) }
    hasher.combine(tide_reference_identity(state.raw, id))
  }
}

/// The data shared by a state's references; outlives the state.
final class ReferencePool {
  let raw: OpaquePointer
  // Cleared by the state's deinit; used only on the state's thread.
  unowned(unsafe) var state: LuaState?

  init(_ raw: OpaquePointer) {
    self.raw = raw
    tide_state_retain(raw)
  }

  deinit { tide_state_release(raw) }
}

extension LuaState {
  /// The number of a reference of this state; 0 for nil.
  func id(of reference: LuaReference?) throws(LuaError) -> UInt32 {
    guard let reference else { return 0 }
    guard reference.pool === pool else {
      throw LuaError(.runtime, "the value belongs to another Lua state")
    }
    return reference.id
  }
}
