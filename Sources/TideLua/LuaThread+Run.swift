import CTideLua

extension LuaThread {
  /// Runs the coroutine to its end, and waits for the asynchronous functions that it calls. A
  /// budget applies to each part between two waits.
  ///
  /// ```swift
  /// let thread = try state.thread(running: function)
  /// let results = try await thread.run(["start"])
  /// ```
  ///
  /// Lua runs only on the caller's actor, which is free while a call waits, so many coroutines of
  /// one state may wait at the same time. Each part between two waits is a separate turn of the
  /// time budget. A `coroutine.yield` outside of the script's own coroutines is an error, as in any
  /// main chunk.
  ///
  /// - Throws: `LuaError` for an error of the script, and `CancellationError` if the task was
  ///   cancelled. A script that is running is then interrupted, and the coroutine is closed, so
  ///   that its `__close` handlers run.
  @discardableResult
  public func run(
    _ arguments: [LuaValue] = [], budget: LuaBudget? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [LuaValue] {
    let state = try open()
    if let host = state.taskHost {
      return try await host.run(.thread(self), arguments, within: budget)
    }
    let cancellation = RunCancellation(state.interrupter)
    return try await withTaskCancellationHandler {
      // A closure inherits the caller's actor only with an explicit isolation parameter.
      try await drive(
        arguments, in: state, within: budget, unless: cancellation, isolation: isolation)
    } onCancel: {
      cancellation.cancel()
    }
  }

  private func drive(
    _ arguments: [LuaValue], in state: LuaState, within budget: LuaBudget?,
    unless cancellation: RunCancellation, isolation: isolated (any Actor)?
  ) async throws -> [LuaValue] {
    var progress = try state.within(budget) {
      try advance(.success(arguments), in: state, unless: cancellation)
    }
    while true {
      let outcome: Result<[LuaValue], any Error>
      switch progress {
      case .finished(let results): return results
      case .yielded:
        outcome = .failure(LuaError(.runtime, "attempt to yield from outside a coroutine"))
      case .suspended:
        if let call = state.pendingCall {
          state.pendingCall = nil
          do { outcome = .success(try await call.body(call.arguments)) } catch {
            outcome = .failure(error)
          }
        } else {
          outcome = .failure(LuaError.unresumed)
        }
      }
      progress = try state.within(budget) {
        try advance(outcome, in: state, unless: cancellation)
      }
    }
  }

  /// Resumes the coroutine in a new turn, or closes it if the task has been cancelled.
  private func advance(
    _ outcome: Result<[LuaValue], any Error>, in state: LuaState,
    unless cancellation: RunCancellation
  ) throws -> Progress {
    do {
      // The turn begins before a cancellation may interrupt it, because beginning a turn clears
      // interrupts.
      let (progress, wasCancelled) = try state.turn {
        try cancellation.whileInterruptible {
          state.pendingCall = nil
          return try resume(outcome, awaiting: true)
        }
      }
      if case .finished = progress { return progress }
      guard wasCancelled else { return progress }
    } catch let error as LuaError {
      throw error
    } catch {}
    // The task was cancelled; errors of its close handlers are ignored.
    state.pendingCall = nil
    try? close()
    throw CancellationError()
  }
}

extension LuaFunction {
  /// Runs the function as a coroutine, and waits for the asynchronous functions that it calls. See
  /// `LuaThread.run`.
  ///
  /// - Throws: as `LuaThread.run` does.
  @discardableResult
  public func run(
    _ arguments: [LuaValue] = [], budget: LuaBudget? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [LuaValue] {
    let state = try open()
    if let host = state.taskHost {
      return try await host.run(.function(self), arguments, within: budget)
    }
    return try await state.thread(running: self).run(arguments, budget: budget)
  }
}

extension LuaState {
  /// Compiles a chunk and runs it as a coroutine, and waits for the asynchronous functions that it
  /// calls. See `LuaThread.run`.
  ///
  /// ```swift
  /// try state.register("sleep") { arguments in
  ///   try await Task.sleep(for: .seconds(arguments.argument(0, as: Double.self)))
  ///   return []
  /// }
  /// try await state.run(async: "sleep(0.1) print('awake')", name: "=example")
  /// ```
  ///
  /// - Throws: as `load` and `LuaThread.run` do.
  @discardableResult
  public func run(
    async source: String, name: String, environment: LuaTable? = nil, budget: LuaBudget? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [LuaValue] {
    try await load(source, name: name, environment: environment).run(budget: budget)
  }
}

extension LuaError {
  /// A host function has called `suspend` in a coroutine that is resumed only for asynchronous
  /// functions.
  package static let unresumed = LuaError(
    .runtime,
    "a host function waits that nobody resumes: it has called 'suspend', after which "
      + "'LuaThread.resume' goes on; register an asynchronous function instead")
}
