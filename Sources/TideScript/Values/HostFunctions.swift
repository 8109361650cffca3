import TideBindings
import TideGraph
package import TideLua

extension Runtime {
  /// Makes a Lua function of a Swift one.
  ///
  /// Data objects that the function makes and returns must live until Lua has taken them over,
  /// which is after it has returned; they are let go when Lua next calls something from outside.
  package func function(
    named name: String, _ body: @escaping (borrowing LuaCall) throws -> Void
  ) throws(LuaError) -> LuaFunction {
    try function(name, taking: .max, 0, Signature(stringLiteral: name), body)
  }

  /// The same for a function that scripts call by its name, which takes no more than its
  /// parameters.
  ///
  /// - Parameter isMethod: whether what it is called on comes before them.
  package func function(
    _ signature: Signature, isMethod: Bool = false,
    _ body: @escaping (borrowing LuaCall) throws -> Void
  ) throws(LuaError) -> LuaFunction {
    let most = isMethod && signature.most < .max ? signature.most + 1 : signature.most
    return try function(signature.name, taking: most, 0, signature, body)
  }

  /// The same for a `__call`: what is called comes first, and is not counted.
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
    // It and its signature contain the name, which may include one chosen by a script.
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
    // What closes at the end of the app, such as a value with `__close` in a task, may call this
    // while the runtime goes. So no function of the API has to ask whether there is one.
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
        // A wrong argument, or too much: the fault is the caller's, and so is the location.
        throw LuaError(error.kind, error.message, at: call.location, cause: error.cause)
      }
    }
  }
}
