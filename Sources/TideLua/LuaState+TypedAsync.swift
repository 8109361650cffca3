// Written out for each number of arguments, because the compiler cannot pass a parameter pack to a
// body that runs on its caller's actor.

extension LuaState {
  /// Makes a Lua function from an asynchronous Swift function with typed arguments and one result,
  /// or none.
  ///
  /// ```swift
  /// let sleep = try state.asyncFunction(named: "sleep") { (seconds: Double) in
  ///   try await Task.sleep(for: .seconds(seconds))
  /// }
  /// ```
  ///
  /// An argument that does not fit raises an error in Lua's wording. At most four arguments can be
  /// typed; use `LuaArguments` for more arguments or for several results. Otherwise these functions
  /// behave the same.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @_disfavoredOverload
  public func asyncFunction<Result: TideConvertible>(
    named name: String,
    _ body: nonisolated(nonsending) @escaping () async throws -> Result
  ) throws(LuaError) -> LuaFunction {
    try asyncFunction(named: name) { (arguments: LuaArguments) in
      [try arguments.result(await body(), 1)]
    }
  }

  /// Makes a Lua function from an asynchronous Swift function with no argument and no result.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @_disfavoredOverload
  public func asyncFunction(
    named name: String,
    _ body: nonisolated(nonsending) @escaping () async throws -> Void
  ) throws(LuaError) -> LuaFunction {
    try asyncFunction(named: name) { (arguments: LuaArguments) in
      try await body()
      return []
    }
  }

  /// Makes a Lua function from an asynchronous Swift function with one argument and one result.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @_disfavoredOverload
  public func asyncFunction<A: TideConvertible, Result: TideConvertible>(
    named name: String,
    _ body: nonisolated(nonsending) @escaping (A) async throws -> Result
  ) throws(LuaError) -> LuaFunction {
    try asyncFunction(named: name) { (arguments: LuaArguments) in
      [try arguments.result(await body(arguments.argument(0)), 1)]
    }
  }

  /// Makes a Lua function from an asynchronous Swift function with one argument and no result.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @_disfavoredOverload
  public func asyncFunction<A: TideConvertible>(
    named name: String,
    _ body: nonisolated(nonsending) @escaping (A) async throws -> Void
  ) throws(LuaError) -> LuaFunction {
    try asyncFunction(named: name) { (arguments: LuaArguments) in
      try await body(arguments.argument(0))
      return []
    }
  }

  /// Makes a Lua function from an asynchronous Swift function with two arguments and one result.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @_disfavoredOverload
  public func asyncFunction<A: TideConvertible, B: TideConvertible, Result: TideConvertible>(
    named name: String,
    _ body: nonisolated(nonsending) @escaping (A, B) async throws -> Result
  ) throws(LuaError) -> LuaFunction {
    try asyncFunction(named: name) { (arguments: LuaArguments) in
      [try arguments.result(await body(arguments.argument(0), arguments.argument(1)), 1)]
    }
  }

  /// Makes a Lua function from an asynchronous Swift function with two arguments and no result.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @_disfavoredOverload
  public func asyncFunction<A: TideConvertible, B: TideConvertible>(
    named name: String,
    _ body: nonisolated(nonsending) @escaping (A, B) async throws -> Void
  ) throws(LuaError) -> LuaFunction {
    try asyncFunction(named: name) { (arguments: LuaArguments) in
      try await body(arguments.argument(0), arguments.argument(1))
      return []
    }
  }

  /// Makes a Lua function from an asynchronous Swift function with three arguments and one result.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @_disfavoredOverload
  public func asyncFunction<
    A: TideConvertible, B: TideConvertible, C: TideConvertible, Result: TideConvertible
  >(
    named name: String,
    _ body: nonisolated(nonsending) @escaping (A, B, C) async throws -> Result
  ) throws(LuaError) -> LuaFunction {
    try asyncFunction(named: name) { (arguments: LuaArguments) in
      [
        try arguments.result(
          await body(arguments.argument(0), arguments.argument(1), arguments.argument(2)), 1)
      ]
    }
  }

  /// Makes a Lua function from an asynchronous Swift function with three arguments and no result.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @_disfavoredOverload
  public func asyncFunction<A: TideConvertible, B: TideConvertible, C: TideConvertible>(
    named name: String,
    _ body: nonisolated(nonsending) @escaping (A, B, C) async throws -> Void
  ) throws(LuaError) -> LuaFunction {
    try asyncFunction(named: name) { (arguments: LuaArguments) in
      try await body(arguments.argument(0), arguments.argument(1), arguments.argument(2))
      return []
    }
  }

  /// Makes a Lua function from an asynchronous Swift function with four arguments and one result.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @_disfavoredOverload
  public func asyncFunction<
    A: TideConvertible, B: TideConvertible, C: TideConvertible, D: TideConvertible,
    Result: TideConvertible
  >(
    named name: String,
    _ body: nonisolated(nonsending) @escaping (A, B, C, D) async throws -> Result
  ) throws(LuaError) -> LuaFunction {
    try asyncFunction(named: name) { (arguments: LuaArguments) in
      [
        try arguments.result(
          await body(
            arguments.argument(0), arguments.argument(1), arguments.argument(2),
            arguments.argument(3)), 1)
      ]
    }
  }

  /// Makes a Lua function from an asynchronous Swift function with four arguments and no result.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @_disfavoredOverload
  public func asyncFunction<
    A: TideConvertible, B: TideConvertible, C: TideConvertible, D: TideConvertible
  >(
    named name: String,
    _ body: nonisolated(nonsending) @escaping (A, B, C, D) async throws -> Void
  ) throws(LuaError) -> LuaFunction {
    try asyncFunction(named: name) { (arguments: LuaArguments) in
      try await body(
        arguments.argument(0), arguments.argument(1), arguments.argument(2), arguments.argument(3))
      return []
    }
  }
}

extension LuaState {
  /// Registers an asynchronous Swift function with typed arguments and one result, or none, as a
  /// global. See `asyncFunction`.
  ///
  /// - Throws: `LuaError` if Lua itself defines the name, memory is exhausted, or the state closed.
  @_disfavoredOverload
  public func register<Result: TideConvertible>(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping () async throws -> Result
  ) throws(LuaError) {
    try register(name, asyncFunction(named: name, body))
  }

  /// Registers an asynchronous Swift function with no argument and no result.
  ///
  /// - Throws: `LuaError` if Lua itself defines the name, memory is exhausted, or the state closed.
  @_disfavoredOverload
  public func register(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping () async throws -> Void
  ) throws(LuaError) {
    try register(name, asyncFunction(named: name, body))
  }

  /// Registers an asynchronous Swift function with one argument and one result.
  ///
  /// - Throws: `LuaError` if Lua itself defines the name, memory is exhausted, or the state closed.
  @_disfavoredOverload
  public func register<A: TideConvertible, Result: TideConvertible>(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (A) async throws -> Result
  ) throws(LuaError) {
    try register(name, asyncFunction(named: name, body))
  }

  /// Registers an asynchronous Swift function with one argument and no result.
  ///
  /// - Throws: `LuaError` if Lua itself defines the name, memory is exhausted, or the state closed.
  @_disfavoredOverload
  public func register<A: TideConvertible>(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (A) async throws -> Void
  ) throws(LuaError) {
    try register(name, asyncFunction(named: name, body))
  }

  /// Registers an asynchronous Swift function with two arguments and one result.
  ///
  /// - Throws: `LuaError` if Lua itself defines the name, memory is exhausted, or the state closed.
  @_disfavoredOverload
  public func register<A: TideConvertible, B: TideConvertible, Result: TideConvertible>(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (A, B) async throws -> Result
  ) throws(LuaError) {
    try register(name, asyncFunction(named: name, body))
  }

  /// Registers an asynchronous Swift function with two arguments and no result.
  ///
  /// - Throws: `LuaError` if Lua itself defines the name, memory is exhausted, or the state closed.
  @_disfavoredOverload
  public func register<A: TideConvertible, B: TideConvertible>(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (A, B) async throws -> Void
  ) throws(LuaError) {
    try register(name, asyncFunction(named: name, body))
  }

  /// Registers an asynchronous Swift function with three arguments and one result.
  ///
  /// - Throws: `LuaError` if Lua itself defines the name, memory is exhausted, or the state closed.
  @_disfavoredOverload
  public func register<
    A: TideConvertible, B: TideConvertible, C: TideConvertible, Result: TideConvertible
  >(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (A, B, C) async throws -> Result
  ) throws(LuaError) {
    try register(name, asyncFunction(named: name, body))
  }

  /// Registers an asynchronous Swift function with three arguments and no result.
  ///
  /// - Throws: `LuaError` if Lua itself defines the name, memory is exhausted, or the state closed.
  @_disfavoredOverload
  public func register<A: TideConvertible, B: TideConvertible, C: TideConvertible>(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (A, B, C) async throws -> Void
  ) throws(LuaError) {
    try register(name, asyncFunction(named: name, body))
  }

  /// Registers an asynchronous Swift function with four arguments and one result.
  ///
  /// - Throws: `LuaError` if Lua itself defines the name, memory is exhausted, or the state closed.
  @_disfavoredOverload
  public func register<
    A: TideConvertible, B: TideConvertible, C: TideConvertible, D: TideConvertible,
    Result: TideConvertible
  >(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (A, B, C, D) async throws -> Result
  ) throws(LuaError) {
    try register(name, asyncFunction(named: name, body))
  }

  /// Registers an asynchronous Swift function with four arguments and no result.
  ///
  /// - Throws: `LuaError` if Lua itself defines the name, memory is exhausted, or the state closed.
  @_disfavoredOverload
  public func register<
    A: TideConvertible, B: TideConvertible, C: TideConvertible, D: TideConvertible
  >(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (A, B, C, D) async throws -> Void
  ) throws(LuaError) {
    try register(name, asyncFunction(named: name, body))
  }
}
