extension LuaState {
  /// Runs an expression or a chunk and converts its first result.
  ///
  /// ```swift
  /// try state.evaluate("6 * 7", as: Int.self)   // 42
  /// try state.evaluate("local n = 6 return n * 7", as: Int.self)   // 42
  /// ```
  ///
  /// - Parameters:
  ///   - source: an expression, or a chunk that returns something.
  ///   - type: what the result becomes.
  ///   - name: what the text is called in messages, after a sign as Lua has it.
  ///   - environment: the table that the text sees its globals in; nil for `globals`.
  ///   - budget: what it may take; nil for what the state allows.
  /// - Throws: `LuaError`, also for a result that does not fit: "bad result #1 (…)".
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

  /// Runs an expression list or a chunk and converts its results, as many as the tuple has.
  ///
  /// ```swift
  /// let (name, age) = try state.evaluate("'Jimmy', 12", as: (String, Int).self)
  /// ```
  ///
  /// - Throws: `LuaError`, also for a result that does not fit: "bad result #2 (…)".
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

  /// The same, waiting for every asynchronous function that the text calls. See `LuaThread.run`.
  ///
  /// ```swift
  /// let page = try await state.evaluate("fetch(address)", as: String.self)
  /// ```
  ///
  /// - Throws: `LuaError`, also for a result that does not fit, and `CancellationError` when the
  ///   task was cancelled.
  @discardableResult
  public func evaluate<Result: TideConvertible>(
    _ source: String, as type: Result.Type, name: String = "=evaluate",
    environment: LuaTable? = nil, budget: LuaBudget? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Result {
    try await evaluate(
      async: source, as: type, name: name, environment: environment, budget: budget)
  }

  /// Evaluates an expression or a chunk that may wait, and converts its first result.
  ///
  /// Use it at the top level of `main.swift`, where Swift takes `evaluate(_:as:)` for the function
  /// that blocks its thread.
  ///
  /// ```swift
  /// let page = try await state.evaluate(async: "fetch(address)", as: String.self)
  /// ```
  ///
  /// - Throws: `LuaError`, also for a result that does not fit, and `CancellationError` when the
  ///   task was cancelled.
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

  /// Compiles text as an expression if it is one, else as a chunk.
  private func expression(
    _ source: String, name: String, _ environment: LuaTable?
  ) throws(LuaError) -> LuaFunction {
    // Of the two messages, that of the chunk has the locations right.
    if let function = try? load("return \(source)\n", name: name, environment: environment) {
      return function
    }
    return try load(source, name: name, environment: environment)
  }
}
