import CTideLua

/// A userdata that is no data object, for instance one that stands for a Swift object.
///
/// ```swift
/// let userdata = try state.userdata(for: Account())
/// userdata.object is Account   // true
/// ```
public final class LuaUserdata: LuaReference {
  /// The Swift object that this stands for; nil for others, and when it was lent and is gone.
  public var object: AnyObject? {
    guard let state = pool.state else { return nil }
    return Self.object(behind: tide_userdata_object(state.raw, id))
  }

  /// The Swift error that this stands for, where a script caught one and gives it to Swift.
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
  /// Gives scripts a userdata that stands for a Swift object and keeps it alive: the script owns
  /// it, and it lives at least until Lua collects the userdata. The same object has the same
  /// userdata.
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
  /// The metatable says what scripts can do with it; without one it has what is registered for its
  /// class (`LuaUserType`), or is opaque; given again with another one it has that. Do not keep the
  /// state in an object that the state keeps: neither would ever go.
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

  /// Gives scripts a userdata that stands for a Swift object without keeping it alive: the host
  /// owns it and may let go of it at any time, and what scripts then do with it is an error that
  /// says so. The same object has the same userdata.
  ///
  /// ```swift
  /// try state.globals.set("window", .userdata(state.userdata(lending: window, metatable: meta)))
  /// ```
  ///
  /// Functions reach it with `LuaCall.instance`. Without a metatable it has what is registered for
  /// its class:
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

/// What Lua keeps in place of an object that the host only lends.
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
    // Another object may have come to the same address since.
    guard let state = pool.state,
      state.lentObjects[key]?.toOpaque() == Unmanaged.passUnretained(self).toOpaque()
    else { return }
    state.lentObjects[key] = nil
  }
}
