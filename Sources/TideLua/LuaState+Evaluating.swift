extension LuaState {
  /// Evaluates an expression or chunk and converts its first result.
  ///
  /// ```swift
  /// try state.evaluate("6 * 7", as: Int.self)   // 42
  /// try state.evaluate("local n = 6 return n * 7", as: Int.self)   // 42
  /// ```
  ///
  /// - Parameters:
  ///   - source: an expression, or a chunk that returns a value.
  ///   - type: the type of the result.
  ///   - name: the chunk's name in messages, with a prefix character as in Lua.
  ///   - environment: the table of the chunk's globals; nil for `globals`.
  ///   - budget: the limits of the call; nil for those of the state.
  /// - Throws: `LuaError`, also if the result does not fit: "bad result #1 (…)".
  @discardableResult
  public func evaluate<Result: TideConvertible>(
    _ source: String, as type: Result.Type, name: String = "=evaluate",
    environment: LuaTable? = nil, budget: LuaBudget? = nil
  ) throws -> Result {
    try withReserve {
      let function = try expression(source, name: name, environment)
      return try within(budget) { try function.call([]).converted(at: 0) }
    }
  }

  /// Evaluates an expression list or chunk and converts its results to a tuple.
  ///
  /// ```swift
  /// let (name, age) = try state.evaluate("'Jimmy', 12", as: (String, Int).self)
  /// ```
  ///
  /// - Throws: `LuaError`, also if a result does not fit: "bad result #2 (…)".
  @discardableResult
  public func evaluate<each Result: TideConvertible>(
    _ source: String, as type: (repeat each Result).Type, name: String = "=evaluate",
    environment: LuaTable? = nil, budget: LuaBudget? = nil
  ) throws -> (repeat each Result) {
    try withReserve {
      let function = try expression(source, name: name, environment)
      return try within(budget) { try function.call([]).converted() }
    }
  }

  /// Evaluates an expression or chunk that may call asynchronous functions, and converts its first
  /// result. See `LuaThread.run`.
  ///
  /// ```swift
  /// let page = try await state.evaluate("fetch(address)", as: String.self)
  /// ```
  ///
  /// - Throws: `LuaError`, also if the result does not fit, and `CancellationError` if the task was
  ///   cancelled.
  @discardableResult
  public func evaluate<Result: TideConvertible>(
    _ source: String, as type: Result.Type, name: String = "=evaluate",
    environment: LuaTable? = nil, budget: LuaBudget? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Result {
    try await evaluate(
      async: source, as: type, name: name, environment: environment, budget: budget)
  }

  /// Evaluates an expression or chunk that may wait, and converts its first result.
  ///
  /// Use it at the top level of `main.swift`, where Swift resolves `evaluate(_:as:)` to the
  /// blocking function.
  ///
  /// ```swift
  /// let page = try await state.evaluate(async: "fetch(address)", as: String.self)
  /// ```
  ///
  /// - Throws: `LuaError`, also if the result does not fit, and `CancellationError` if the task was
  ///   cancelled.
  @discardableResult
  public func evaluate<Result: TideConvertible>(
    async source: String, as type: Result.Type, name: String = "=evaluate",
    environment: LuaTable? = nil, budget: LuaBudget? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Result {
    let function = try withReserve { () throws(LuaError) in
      try expression(source, name: name, environment)
    }
    return try await function.run([], budget: budget).converted(at: 0)
  }

  /// Compiles the text as an expression if possible, else as a chunk.
  private func expression(
    _ source: String, name: String, _ environment: LuaTable?
  ) throws(LuaError) -> LuaFunction {
    // If both fail, the chunk's message has the correct locations.
    if let function = try? load("return \(source)\n", name: name, environment: environment) {
      return function
    }
    return try load(source, name: name, environment: environment)
  }
}
