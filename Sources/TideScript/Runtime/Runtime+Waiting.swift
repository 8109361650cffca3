import TideBindings
import TideGraph
package import TideLua
import TideSystem

// Calls into scripts that may wait. The callers suspend meanwhile.

extension Runtime {
  /// Runs work that may wait, suspends until it has ended, and returns its results. Meanwhile this
  /// caller, or another waiting one, turns the loop.
  ///
  /// - Parameters:
  ///   - budget: the budget of each stretch between two waits.
  ///   - isText: whether the work is a text of the host, which may use the memory reserve.
  ///   - prepare: makes the work and its arguments, before the budget starts.
  /// - Throws: errors that the script raises, `async` if nothing can resume it, and
  ///   `CancellationError` as soon as the calling task is cancelled.
  func waited(
    within budget: LuaBudget?, isText: Bool = false,
    isolation: isolated (any Actor)? = #isolation, _ prepare: () throws -> (LuaWork, [LuaValue])
  ) async throws -> [LuaValue] {
    try requireHere()
    let cancellation = RunCancellation(lua.interrupter)
    return try await withTaskCancellationHandler {
      // A closure is on the caller's actor only if it says so.
      try await waited(
        within: budget, isText: isText, unless: cancellation, isolation: isolation, prepare)
    } onCancel: {
      cancellation.cancel()
    }
  }

  private func waited(
    within budget: LuaBudget?, isText: Bool, unless cancellation: RunCancellation,
    isolation: isolated (any Actor)?, _ prepare: () throws -> (LuaWork, [LuaValue])
  ) async throws -> [LuaValue] {
    let (beginning, wasCancelled) = try graph.entered {
      settleObserved()
      return try withReserve(isText) {
        let (work, arguments) = try prepare()
        return try lua.within(budget) {
          // The turn begins first, because its beginning clears interruptions.
          try lua.turn {
            try cancellation.whileInterruptible { try begin(work, arguments, in: mainContext) }
          }
        }
      }
    }
    loop.wakeDriver()
    guard case .waiting(let task) = beginning else {
      if case .finished(let results) = beginning { return results }
      return []
    }
    if wasCancelled {
      graph.entered { task.cancel() }
      throw CancellationError()
    }
    (task.budget, task.cancellation) = (budget, cancellation)
    return try await results(of: task, unless: cancellation, isolation: isolation)
  }

  private func results(
    of task: ScriptTask, unless cancellation: RunCancellation, isolation: isolated (any Actor)?
  ) async throws -> [LuaValue] {
    let wait = loop.beginWait()
    defer { loop.endWait(wait) }
    var outcome = task.result
    if outcome == nil {
      task.whenEnded {
        outcome = $0
        wait.wake()
      }
    }
    cancellation.whenCancelled { wait.wake() }
    while outcome == nil, exitCode == nil, mayGoOn(wait) {
      await loop.untilDue(wait)
      if Task.isCancelled {
        graph.entered { task.cancel() }
        throw CancellationError()
      }
      if outcome == nil, loop.isDriven(by: wait), !loop.isTurning {
        turn(timeout: loop.driverTimeout)
      }
    }
    if let outcome { return try outcome.get() }
    graph.entered { task.cancel() }
    throw TideError(
      .async,
      exitCode == nil
        ? "a script waits for what never comes: no timer, no task and no function of the host is "
          + "left that could resume it"
        : "the app ended while a script of the host's was waiting")
  }

  /// Whether anything can still resume the work. While the app is running, a person may answer
  /// questions.
  private func mayGoOn(_ wait: LoopWait) -> Bool {
    let isRun = loop.isLed || !wait.mayDrive
    return loop.hasWork || isRun && !views.questions.open.isEmpty || dismissQuestions()
  }
}

extension Runtime: LuaTaskHost {
  /// Runs a function or a coroutine of the interpreter as a task of the app.
  package nonisolated(nonsending) func run(
    _ work: LuaWork, _ arguments: [LuaValue], within budget: LuaBudget?
  ) async throws -> [LuaValue] {
    try await waited(within: budget) { (work, arguments) }
  }

  /// Suspends a script's call of an asynchronous method until the method returns.
  package func wait<Result: Sendable>(
    _ call: borrowing LuaCall, named name: String,
    for body: @escaping @Sendable () async throws -> Result,
    lowering lower: @escaping (Result, LuaState) throws -> [LuaValue]
  ) throws {
    try wait(call, in: name, for: body) { runtime, result in try lower(result, runtime.lua) }
  }

  private func begin(
    _ work: LuaWork, _ arguments: [LuaValue], in context: BindingContext
  ) throws -> Beginning {
    switch work {
    case .function(let function): return try beginRaising(function, arguments, in: context)
    case .thread(let thread):
      let task = ScriptTask(self, in: context)
      // Its error is thrown to the caller.
      task.isAwaited = true
      task.start(thread, arguments)
      guard let outcome = task.result else { return .waiting(task) }
      return .finished(try outcome.get())
    }
  }

  private func withReserve<Result>(_ isText: Bool, _ body: () throws -> Result) rethrows -> Result {
    isText ? try lua.withReserve(body) : try body()
  }
}
