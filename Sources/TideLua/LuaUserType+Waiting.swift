// Asynchronous methods and functions, for which the calling script waits.

extension LuaUserType {
  /// An asynchronous method with typed arguments and one result, for which the calling script
  /// waits.
  ///
  /// ```swift
  /// stores.method("read") { (store: Store, key: String) async throws -> String in
  ///   try await store.read(key)   // an actor's
  /// }
  /// ```
  ///
  /// It runs on the cooperative pool or its own actor, so the class must be `Sendable`. Cancelling
  /// the waiting script cancels the method's task.
  public func method<
    each Argument: TideConvertible & Sendable, Result: TideConvertible & Sendable
  >(
    _ name: String,
    _ body: @escaping @Sendable (Object, repeat each Argument) async throws -> Result
  ) where Object: Sendable {
    let label = "\(self.name).\(name)"
    addMethod(name, Self.types(repeat (each Argument).self)) { [receive] call in
      let object = try receive(call, 0)
      var index = 1
      let arguments = (repeat try call.next((each Argument).self, &index))
      try call.wait(named: label) {
        try await body(object, repeat each arguments)
      } lowering: { result, state in
        try state.lowerResults(of: label, result)
      }
    }
  }

  /// An asynchronous method with typed arguments and several results, or none.
  @_disfavoredOverload
  public func method<
    each Argument: TideConvertible & Sendable, each Result: TideConvertible & Sendable
  >(
    _ name: String,
    _ body: @escaping @Sendable (Object, repeat each Argument) async throws -> (repeat each Result)
  ) where Object: Sendable {
    let label = "\(self.name).\(name)"
    addMethod(name, Self.types(repeat (each Argument).self)) { [receive] call in
      let object = try receive(call, 0)
      var index = 1
      let arguments = (repeat try call.next((each Argument).self, &index))
      try call.wait(named: label) {
        try await body(object, repeat each arguments)
      } lowering: { results, state in
        try state.lowerResults(of: label, repeat each results)
      }
    }
  }

  /// An asynchronous static function, for which the calling script waits.
  ///
  /// ```swift
  /// stores.function("open") { (path: String) async throws -> Store in try await Store(path) }
  /// ```
  public func function<
    each Argument: TideConvertible & Sendable, Result: TideConvertible & Sendable
  >(
    _ name: String, _ body: @escaping @Sendable (repeat each Argument) async throws -> Result
  ) {
    let label = "\(self.name).\(name)"
    addFunction(name, Self.types(repeat (each Argument).self)) { call in
      var index = 0
      let arguments = (repeat try call.next((each Argument).self, &index))
      try call.wait(named: label) {
        try await body(repeat each arguments)
      } lowering: { result, state in
        try state.lowerResults(of: label, result)
      }
    }
  }

  /// An asynchronous static function with several results, or none.
  @_disfavoredOverload
  public func function<
    each Argument: TideConvertible & Sendable, each Result: TideConvertible & Sendable
  >(
    _ name: String,
    _ body: @escaping @Sendable (repeat each Argument) async throws -> (repeat each Result)
  ) {
    let label = "\(self.name).\(name)"
    addFunction(name, Self.types(repeat (each Argument).self)) { call in
      var index = 0
      let arguments = (repeat try call.next((each Argument).self, &index))
      try call.wait(named: label) {
        try await body(repeat each arguments)
      } lowering: { results, state in
        try state.lowerResults(of: label, repeat each results)
      }
    }
  }
}
