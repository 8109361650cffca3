import TideBindings
import TideGraph
import TideLua

extension Runtime {
  /// Calls a script's function where it may wait, in a context; gives its results, or nil when it
  /// waits.
  ///
  /// - Parameter ended: told of the end of a call that waits; without it an error is listed.
  /// - Throws: what the function raises before it waits.
  func start(
    _ function: LuaFunction, _ arguments: [LuaValue] = [], in context: BindingContext,
    ended: ((ScriptTask.Outcome) -> Void)? = nil
  ) throws -> [LuaValue]? {
    switch try begin(function, arguments, in: context) {
    case .finished(let results): return results
    case .waiting(let task):
      guard let ended else { return nil }
      if let result = task.result { ended(result) } else { task.whenEnded(ended) }
      return nil
    }
  }

  /// How a call began that may wait.
  enum Beginning {
    case finished([LuaValue])
    case waiting(ScriptTask)
  }

  func begin(
    _ function: LuaFunction, _ arguments: [LuaValue], in context: BindingContext
  ) throws -> Beginning {
    let clearCount = context.clearCount
    return try table.with(context) {
      let start = try perform { try graph.untracked { try function.start(arguments) } }
      if case .finished(let results) = start { return .finished(results) }
      return .waiting(ScriptTask(self, start, in: context, clearCount: clearCount))
    }
  }

  /// Runs a script's callback in the context in which it was registered, where it may wait; what it
  /// raises is listed.
  func callBack(
    _ function: LuaFunction, in context: BindingContext,
    _ arguments: () throws -> [LuaValue] = { [] }
  ) {
    do {
      _ = try start(function, arguments(), in: context)
    } catch {
      list(TideError(script: error), of: context)
    }
  }

  /// Makes a script's call wait. Throws where that cannot be.
  func wait(
    _ call: borrowing LuaCall, in name: String,
    _ begin: @escaping (ScriptTask) throws -> Wait.Handle
  ) throws {
    guard call.canSuspend else { throw cannotWait(name) }
    try call.suspend()
    pendingWaits.append(Wait(begin: begin))
  }

  private func cannotWait(_ name: String) -> TideError {
    TideError(
      .async,
      "'\(name)' has to wait, which cannot be done here: not in a computed value, a validator, a "
        + "comparator, \"when\", an observer or an effect, nor while a module loads or below a library "
        + "function that calls back; begin a task with spawn(function() … end)")
  }
}
