import CTideLua

/// A userdata other than a data object, for instance one that represents a Swift object.
///
/// ```swift
/// let userdata = try state.userdata(for: Account())
/// userdata.object is Account   // true
/// ```
public final class LuaUserdata: LuaReference {
  /// The represented Swift object; nil for other userdata, and if a lent object no longer exists.
  public var object: AnyObject? {
    guard let state = pool.state else { return nil }
    return Self.object(behind: tide_userdata_object(state.raw, id))
  }

  /// The represented Swift error, if a script has caught one and passes it to Swift.
  ///
  /// ```swift
  /// try state.register("isTimeout") { (error: LuaValue) in error.userdata?.error is Timeout }
  /// ```
  public var error: (any Error)? {
    guard let state = pool.state, let found = tide_userdata_object(state.raw, id) else {
      return nil
    }
    let object = Unmanaged<AnyObject>.fromOpaque(found).takeUnretainedValue()
    return (object as? ThrownError)?.error
  }

  static func object(behind pointer: UnsafeMutableRawPointer?) -> AnyObject? {
    guard let pointer else { return nil }
    let found = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    switch found {
    case let lent as LentObject: return lent.object
    case is ThrownError: return nil
    default: return found
    }
  }

  static func lent(behind pointer: UnsafeMutableRawPointer?) -> LentObject? {
    guard let pointer else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue() as? LentObject
  }
}

extension LuaState {
  /// Creates a userdata that represents and retains a Swift object: the object lives at least until
  /// Lua collects the userdata. An object always has the same userdata.
  ///
  /// ```swift
  /// let deposit = try state.function(named: "deposit") { call in
  ///   try call.instance(0, of: Account.self).total += call.integer(1)
  /// }
  /// let methods = try state.table(["deposit": .function(deposit)])
  /// let meta = try state.table(["__index": .table(methods)])
  /// try state.globals.set("account", .userdata(state.userdata(for: Account(), metatable: meta)))
  /// ```
  ///
  /// The metatable defines the operations for scripts. Without one, the userdata gets the metatable
  /// registered for its class (`LuaUserType`), or is opaque. A later call with another metatable
  /// replaces it. An object that the state retains must not retain the state, because that is a
  /// retain cycle.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`; of kind `runtime` for a metatable of
  ///   another state.
  public func userdata(
    for object: AnyObject, metatable: LuaTable? = nil
  ) throws(LuaError) -> LuaUserdata {
    var frame = TideFrame()
    let metatable = try id(of: metatable ?? self.metatable(for: object))
    let retained = Unmanaged.passRetained(object).toOpaque()
    let status = tide_userdata_make(raw, retained, metatable, &frame)
    guard case .userdata(let userdata) = try one(status, &frame) else { throw .closed }
    return userdata
  }

  /// Creates a userdata that represents a Swift object without retaining it. The host owns the
  /// object and may release it at any time; using it afterwards is an error with a clear message.
  /// An object always has the same userdata.
  ///
  /// ```swift
  /// try state.globals.set("window", .userdata(state.userdata(lending: window, metatable: meta)))
  /// ```
  ///
  /// Functions access it with `LuaCall.instance`. Without a metatable, the userdata gets the one
  /// registered for its class:
  ///
  /// ```swift
  /// try state.globals.set("window", to: state.userdata(lending: window))
  /// // in a script: window:focus(), an error once the host has let go of the window
  /// ```
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`; of kind `runtime` for a metatable of
  ///   another state.
  public func userdata(
    lending object: AnyObject, metatable: LuaTable? = nil
  ) throws(LuaError) -> LuaUserdata {
    let metatable = metatable ?? self.metatable(for: object)
    let key = ObjectIdentifier(object)
    if let known = lentObjects[key]?.takeUnretainedValue(), known.object === object {
      return try userdata(for: known, metatable: metatable)
    }
    let lent = LentObject(object, in: pool)
    lentObjects[key] = Unmanaged.passUnretained(lent)
    return try userdata(for: lent, metatable: metatable)
  }
}

/// Represents an object that the host only lends to Lua.
final class LentObject {
  private(set) weak var object: AnyObject?
  let typeName: String
  private let key: ObjectIdentifier
  private let pool: ReferencePool

  init(_ object: AnyObject, in pool: ReferencePool) {
    self.object = object
    typeName = "\(type(of: object))"
    key = ObjectIdentifier(object)
    self.pool = pool
  }

  deinit {
    // Another object may have been allocated at the same address since.
    guard let state = pool.state,
      state.lentObjects[key]?.toOpaque() == Unmanaged.passUnretained(self).toOpaque()
    else { return }
    state.lentObjects[key] = nil
  }
}
