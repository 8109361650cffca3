extension LuaFunction {
  /// Calls the function with Swift values and converts its first result.
  ///
  /// ```swift
  /// let upper = try state.evaluate("string.upper", as: LuaFunction.self)
  /// try upper.call("pear", as: String.self)   // "PEAR"
  /// ```
  ///
  /// - Throws: `LuaError`, also if Lua cannot represent an argument, or if the result does not fit:
  ///   "bad result #1 (string expected, got nil)".
  public func call<each Argument: TideConvertible, Result: TideConvertible>(
    _ arguments: repeat each Argument, as type: Result.Type
  ) throws -> Result {
    try firstResult(of: repeat each arguments, as: type)
  }

  /// Calls the function with Swift values and converts its results to a tuple.
  ///
  /// ```swift
  /// let source = "function(a, b) return a // b, a % b end"
  /// let divide = try state.evaluate(source, as: LuaFunction.self)
  /// let (quotient, rest) = try divide.call(17, 5, as: (Int, Int).self)
  /// ```
  ///
  /// - Throws: `LuaError`, also if Lua cannot represent an argument, or if a result does not fit.
  public func call<each Argument: TideConvertible, each Result: TideConvertible>(
    _ arguments: repeat each Argument, as type: (repeat each Result).Type
  ) throws -> (repeat each Result) {
    let results = try call(try lower(repeat each arguments))
    return try results.converted()
  }

  /// Runs the function as a coroutine that may wait, and converts its first result. See
  /// `LuaThread.run`.
  ///
  /// - Throws: `LuaError`, also if the result does not fit, and `CancellationError` if the task was
  ///   cancelled.
  public func run<each Argument: TideConvertible, Result: TideConvertible>(
    _ arguments: repeat each Argument, as type: Result.Type,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Result {
    let results = try await run(try lower(repeat each arguments))
    return try results.converted(at: 0)
  }

  /// Calls the function with Swift values within a budget, and converts its first result.
  ///
  /// ```swift
  /// let price = try state.evaluate("price", as: LuaFunction.self)
  /// let quick = LuaBudget(time: .milliseconds(5), memory: 1 << 20)
  /// let total = try price.call("pear", 4, as: Double.self, budget: quick)
  /// ```
  ///
  /// - Throws: `LuaError`; of kind `time` or `memory` if the call exceeds the budget. See
  ///   `LuaState.within`.
  public func call<each Argument: TideConvertible, Result: TideConvertible>(
    _ arguments: repeat each Argument, as type: Result.Type, budget: LuaBudget?
  ) throws -> Result {
    let values = try lower(repeat each arguments)
    return try open().within(budget) { () throws -> Result in
      try call(values).converted(at: 0)
    }
  }

  /// Calls the function with Swift values within a budget, and converts its results to a tuple.
  ///
  /// - Throws: `LuaError`, also if a result does not fit; of kind `time` or `memory` if the call
  ///   exceeds the budget.
  public func call<each Argument: TideConvertible, each Result: TideConvertible>(
    _ arguments: repeat each Argument, as type: (repeat each Result).Type, budget: LuaBudget?
  ) throws -> (repeat each Result) {
    let values = try lower(repeat each arguments)
    let results = try open().within(budget) { () throws(LuaError) in try call(values) }
    return try results.converted()
  }

  /// Runs the function as a coroutine that may wait, and converts its first result. The budget
  /// applies to each part between two waits. See `LuaThread.run`.
  ///
  /// ```swift
  /// let fetch = try await state.evaluate("fetch", as: LuaFunction.self)
  /// let quick = LuaBudget(time: .milliseconds(5))
  /// let page = try await fetch.run("a", as: String.self, budget: quick)
  /// ```
  ///
  /// - Throws: `LuaError`, also if the result does not fit; of kind `time` or `memory` if the
  ///   budget is exceeded; `CancellationError` if the task was cancelled.
  public func run<each Argument: TideConvertible, Result: TideConvertible>(
    _ arguments: repeat each Argument, as type: Result.Type, budget: LuaBudget?,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Result {
    let results = try await run(try lower(repeat each arguments), budget: budget)
    return try results.converted(at: 0)
  }

  /// Runs the function as a coroutine that may wait, and converts its results to a tuple. The
  /// budget applies to each part between two waits. See `LuaThread.run`.
  ///
  /// ```swift
  /// let divide = try await state.evaluate("divide", as: LuaFunction.self)
  /// let (quotient, rest) = try await divide.run(17, 5, as: (Int, Int).self)
  /// ```
  ///
  /// - Throws: `LuaError`, also if a result does not fit; of kind `time` or `memory` if the budget
  ///   is exceeded; `CancellationError` if the task was cancelled.
  @_disfavoredOverload
  public func run<each Argument: TideConvertible, each Result: TideConvertible>(
    _ arguments: repeat each Argument, as type: (repeat each Result).Type,
    budget: LuaBudget? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws -> (repeat each Result) {
    let results = try await run(try lower(repeat each arguments), budget: budget)
    return try results.converted()
  }

  private func lower<each Argument: TideConvertible>(
    _ arguments: repeat each Argument
  ) throws -> [LuaValue] {
    try open().lower(repeat each arguments)
  }
}

extension LuaState {
  /// Converts arguments to Lua values.
  ///
  /// - Throws: `LuaError` if Lua cannot represent an argument: "bad argument #1 (…)".
  package func lower<each Argument: TideConvertible>(
    _ arguments: repeat each Argument
  ) throws -> [LuaValue] {
    var values: [LuaValue] = []
    for argument in repeat each arguments {
      do { values.append(try argument.toLua(in: self)) } catch let error as ValueMismatch {
        throw LuaError(.runtime, "bad argument #\(values.count + 1) (\(error))")
      }
    }
    return values
  }
}

extension [LuaValue] {
  package func converted<Result: TideConvertible>(at index: Int) throws -> Result {
    let value = index < count ? self[index] : .nil
    do { return try Result.fromLua(value) } catch {
      let found = index < count ? value.typeName : "no value"
      guard let reason = ValueMismatch.reason(error, of: found) else { throw error }
      throw LuaError(.runtime, "bad result #\(index + 1) (\(reason))")
    }
  }

  package func converted<each Result: TideConvertible>() throws -> (repeat each Result) {
    var index = 0
    func next<Value: TideConvertible>(_ type: Value.Type) throws -> Value {
      defer { index += 1 }
      return try converted(at: index)
    }
    return (repeat try next((each Result).self))
  }
}
