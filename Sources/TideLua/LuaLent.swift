public import TideValues

/// An object that a function lends to scripts: they can use it as long as the host keeps it, and do
/// not keep it alive.
///
/// ```swift
/// try state.register("mainWindow") { LuaLent(window) }
/// // in a script: mainWindow():focus()
/// ```
///
/// Scripts see what is registered for its class (`LuaUserType`). Once the host has let go of it,
/// what they do with it is an error: "calling 'focus' on bad self (the Window is gone)". See
/// `LuaState.userdata(lending:metatable:)`.
public struct LuaLent<Object: AnyObject>: TideConvertible {
  /// The object, kept as long as this is.
  public let object: Object

  /// Lends an object.
  public init(_ object: Object) { self.object = object }

  /// Gives the object that a script was lent.
  ///
  /// - Throws: `ValueMismatch` where the value is none of its class, or the object is gone.
  public static func from(_ value: Value) throws -> LuaLent {
    if case .object(let object) = value {
      if let found = object as? Object { return LuaLent(found) }
      if let found = (object as? any ObjectStandIn)?.standsFor as? Object { return LuaLent(found) }
    }
    throw ValueMismatch.expected("\(Object.self)", got: value)
  }

  /// What stands for the object without keeping it.
  ///
  /// - Throws: nothing by itself; what lending throws comes where the value is returned.
  public func toValue() throws -> Value {
    .object(LateLuaValue { [object] in .userdata(try $0.userdata(lending: object)) })
  }
}
