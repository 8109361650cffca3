import CTideLua

/// Something that lives in the interpreter and is kept alive by Swift: a table, function, coroutine
/// or userdata.
///
/// Using one after its state is closed throws `LuaError` of kind `closed`. It may be dropped on any
/// thread; everything else happens on the state's.
public class LuaReference {
  final let pool: ReferencePool
  final let id: UInt32

  init(taking id: UInt32, in state: LuaState) {
    pool = state.pool
    self.id = id
  }

  deinit { tide_pool_drop(pool.raw, id) }

  /// The state that this belongs to, or nil once that is closed.
  public final var state: LuaState? { pool.state }

  final func open() throws(LuaError) -> LuaState {
    guard let state = pool.state else { throw .closed }
    return state
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
  public final func hash(into hasher: inout Hasher) {
    guard let state = pool.state else { return hasher.combine(ObjectIdentifier(self)) }
    hasher.combine(tide_reference_identity(state.raw, id))
  }
}

/// What the references of one state share; it outlives the state.
final class ReferencePool {
  let raw: OpaquePointer
  weak var state: LuaState?

  init(_ raw: OpaquePointer) {
    self.raw = raw
    tide_pool_retain(raw)
  }

  deinit { tide_pool_release(raw) }
}

/// A userdata that is no data object, for instance one that stands for a Swift object.
public final class LuaUserdata: LuaReference {
  /// The Swift object that this stands for.
  public var object: AnyObject? {
    guard let state = pool.state, let found = tide_userdata_object(state.raw, id) else {
      return nil
    }
    return Unmanaged<AnyObject>.fromOpaque(found).takeUnretainedValue()
  }
}
