public import TideValues

/// An object lent to scripts: they can use it while the host keeps it, but do not retain it.
///
/// ```swift
/// try state.register("mainWindow") { LuaLent(window) }
/// // in a script: mainWindow():focus()
/// ```
///
/// Scripts see what is registered for its class (`LuaUserType`). After the host has released the
/// object, using it is an error: "calling 'focus' on bad self (the Window is gone)". See
/// `LuaState.userdata(lending:metatable:)`.
public struct LuaLent<Object: AnyObject>: TideConvertible {
  /// The object, retained by this value.
  public let object: Object

  /// Lends an object.
  public init(_ object: Object) { self.object = object }

  /// Returns the lent object behind a script's value.
  ///
  /// - Throws: `ValueMismatch` if the value does not have its class, or the object no longer
  ///   exists.
  public static func from(_ value: Value) throws -> LuaLent {
    if case .object(let object) = value {
      if let found = object as? Object { return LuaLent(found) }
      if let found = (object as? any ObjectStandIn)?.standsFor as? Object { return LuaLent(found) }
    }
    throw ValueMismatch.expected("\(Object.self)", got: value)
  }

  /// A weak reference to the object, for scripts.
  ///
  /// - Throws: nothing; errors of lending are thrown when the value is returned to the script.
  public func toValue() throws -> Value {
    .object(LateLuaValue { [object] in .userdata(try $0.userdata(lending: object)) })
  }
}
