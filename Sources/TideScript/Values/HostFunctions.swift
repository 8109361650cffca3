import TideBindings
import TideGraph
package import TideLua

extension Runtime {
  /// Makes a Lua function from a Swift closure.
  ///
  /// Data objects that the closure makes and returns must live until Lua has retained them, which
  /// happens after it returns. They are released when Lua next calls a Swift function.
  package func function(
    named name: String, _ body: @escaping (borrowing LuaCall) throws -> Void
  ) throws(LuaError) -> LuaFunction {
    try function(name, taking: .max, 0, Signature(stringLiteral: name), body)
  }

  /// Makes a function that scripts call by its name. It accepts no more arguments than its
  /// signature has parameters.
  ///
  /// - Parameter isMethod: whether a receiver precedes the parameters.
  package func function(
    _ signature: Signature, isMethod: Bool = false,
    _ body: @escaping (borrowing LuaCall) throws -> Void
  ) throws(LuaError) -> LuaFunction {
    let most = isMethod && signature.most < .max ? signature.most + 1 : signature.most
    return try function(signature.name, taking: most, 0, signature, body)
  }

  /// Makes a function for `__call`. The called object precedes the parameters and is not counted.
  func callable(
    _ signature: Signature, _ body: @escaping (borrowing LuaCall) throws -> Void
  ) throws(LuaError) -> LuaFunction {
    let most = signature.most < .max ? signature.most + 1 : signature.most
    return try function(signature.name, taking: most, 1, signature, body)
  }

  private func function(
    _ name: String, taking most: Int, _ hiddenCount: Int, _ signature: Signature,
    _ body: @escaping (borrowing LuaCall) throws -> Void
  ) throws(LuaError) -> LuaFunction {
    // The function and its signature contain the name, which a script may have chosen.
    guard let held = table.hold(3 * name.utf8.count) else {
      return try shortNamed(name, taking: most, hiddenCount, signature, body)
    }
    return try shortNamed(name, taking: most, hiddenCount, signature) { call in
      defer { withExtendedLifetime(held) {} }
      try body(call)
    }
  }

  private func shortNamed(
    _ name: String, taking most: Int, _ hiddenCount: Int, _ signature: Signature,
    _ body: @escaping (borrowing LuaCall) throws -> Void
  ) throws(LuaError) -> LuaFunction {
    let weight = Weight.ofCall(of: name)
    // Code that runs at the end of the app, such as a `__close` handler in a task, may call this
    // while the runtime is being released. Functions of the API therefore need no check of their
    // own.
    return try lua.function(named: name, hiding: hiddenCount) { [home] call in
      let runtime = try home.requireRuntime()
      if runtime.calls.callDepth == 0 && !runtime.calls.handedOver.isEmpty {
        runtime.calls.handedOver.removeAll(keepingCapacity: true)
      }
      runtime.calls.callDepth += 1
      let outer = runtime.graph.enter()
      defer {
        Graph.leave(to: outer)
        runtime.calls.callDepth -= 1
      }
      do {
        try runtime.charge(weight)
        if call.count > most { try signature.refuseMore(call, from: most) }
        try body(call)
      } catch let error as LuaError
        where error.location == nil && (error.kind == .runtime || error.kind == .memory)
      {
        // The caller passed a wrong argument, or too much, so the error gets the caller's location.
        throw LuaError(error.kind, error.message, at: call.location, cause: error.cause)
      }
    }
  }
}
