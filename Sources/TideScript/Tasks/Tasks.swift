package import TideBindings
import TideGraph
package import TideLua

/// The waiting work of scripts.
final class TaskTable {
  /// Tasks that have not ended.
  var running: [ObjectIdentifier: ScriptTask] = [:]
  /// Waits of suspended calls that their tasks have not adopted yet, the innermost last.
  var pendingWaits: [Wait] = []
  /// Work that is left to the next turn.
  fileprivate var late = NumberedList<() -> Void>()
}

extension Runtime {
  /// Runs a function in the next turn, or at the end of the app if that comes first, with the budget
  /// of a turn.
  package func runLate(_ body: @escaping () -> Void) {
    let number = tasks.late.append { [home] in home.runWithinBudget(body) }
    loop.after(0) { [weak self] in self?.tasks.late.remove(number)?() }
  }

  /// Runs all late work now, because the app ends and no turn follows.
  func finishLateWork() {
    // Late work may leave more of it.
    for _ in 0..<tasks.late.count {
      if let number = tasks.late.firstNumber { tasks.late.remove(number)?() }
    }
  }

  /// Whether a task is being run, and not the main script or a handler that has not waited yet.
  package var isRunningTask: Bool {
    tasks.running.values.contains { if case .running = $0.progress { true } else { false } }
  }

  /// `spawn`, `await`, `sleep`.
  func installTasks() throws {
    try fill(
      api.metatables.task,
      methods: ["cancel()": { [unowned self] call in try task(call).cancel() }],
      properties: ["state"],
      get: { [unowned self] name, call in
        guard name == "state" else { return false }
        try call.return("\(task(call).progress)")
        return true
      })
    try api.metatables.task.rawSet(
      "__tostring",
      .function(
        function(named: "tostring") { [unowned self] call in
          call.return("task: \(try task(call).progress)")
        }))
    try define(.spawn) { [unowned self] call in
      let function = try call.function(0)
      let arguments = try call.values(from: 1)
      let task = ScriptTask(self, in: context)
      task.start(function, arguments)
      call.return(.userdata(try lua.userdata(for: task, metatable: api.metatables.task)))
    }
    guard let raise = try lua.globals["error"].function else { return }
    try define(.await) { [unowned self] call in
      let task = try task(call)
      guard let result = task.result else {
        return try wait(call, in: "await") { try $0.wait(for: task) }
      }
      task.isAwaited = true
      switch result {
      case .success(let values): for value in values { call.return(value) }
      case .failure(let error):
        guard let value = (error as? LuaError)?.raised else { throw error }
        call.return(calling: raise, with: [value, 0])
      }
    }
    try define(.sleep) { [unowned self] call in
      let seconds = try seconds(call)
      try wait(call, in: "sleep", seconds: seconds)
    }
  }

  private func task(_ call: borrowing LuaCall) throws -> ScriptTask {
    guard let task = call.userdata(0, as: ScriptTask.self) else { throw call.wrongType(0, "task") }
    return task
  }
}

extension Runtime {
  /// Calls a script's function, which may wait, in a context. Returns its results, or nil if it
  /// waits.
  ///
  /// - Parameter ended: called at the end of a waiting call. Without it, an error is listed.
  /// - Throws: what the function raises before its first wait.
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

  /// The state of a call that may wait.
  package enum Beginning {
    case finished([LuaValue])
    case waiting(ScriptTask)
  }

  /// Calls a function, which may wait, in the context that it belongs to.
  ///
  /// - Parameter isRecorded: whether the caller depends on what the function reads before its first
  ///   wait.
  package func begin(
    _ function: LuaFunction, _ arguments: [LuaValue], in context: BindingContext,
    isRecorded: Bool = false
  ) throws -> Beginning {
    try perform { try beginRaising(function, arguments, in: context, isRecorded: isRecorded) }
  }

  /// Like `begin`, but throws what the function raises as the interpreter's own error.
  func beginRaising(
    _ function: LuaFunction, _ arguments: [LuaValue], in context: BindingContext,
    isRecorded: Bool = false
  ) throws -> Beginning {
    let clearCount = context.clearCount
    return try table.with(context) {
      let start = try measured(function) {
        if isRecorded { return try function.start(arguments) }
        return try graph.untracked { try function.start(arguments) }
      }
      if case .finished(let results) = start { return .finished(results) }
      return .waiting(ScriptTask(self, start, in: context, clearCount: clearCount))
    }
  }

  /// Runs a script's callback, which may wait, in the context in which it was registered. Errors
  /// are listed.
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

  /// Suspends a script's call. Throws if the call cannot wait.
  func wait(
    _ call: borrowing LuaCall, in name: String,
    _ begin: @escaping (ScriptTask) throws -> Wait.Handle
  ) throws {
    guard call.canSuspend else { throw cannotWait(name) }
    try call.suspend()
    tasks.pendingWaits.append(Wait(begin: begin))
  }

  /// Suspends a script's call for some seconds; 0 waits for the next turn.
  func wait(_ call: borrowing LuaCall, in name: String, seconds: Double) throws {
    try wait(call, in: name) { [unowned self] task in
      try loop.admitTimer(among: configuration.limits.timers)
      let timer = loop.after(seconds) { task.resume(.success([])) }
      return Wait.Handle(cancel: { timer.cancel() }, setEnabled: { timer.isEnabled = $0 })
    }
  }

  private func cannotWait(_ name: String) -> TideError {
    TideError(
      .async,
      "'\(name)' has to wait, which cannot be done here: not in a computed value, a validator, a "
        + "comparator, \"when\", an observer or an effect, nor while a module loads or below a library "
        + "function that calls back; begin a task with spawn(function() … end)")
  }
}

// MARK: Catalogue

extension APIEntry {
  static let spawn = APIEntry(
    "spawn(fn, ...)", usage: "spawn(fn, …)",
    "Starts a task that may wait.",
    """
    @param fn function
    @param ... any
    @return tidelock.Task
    """)

  static let `await` = APIEntry(
    "await(task)",
    "Waits for a task and gives its results.",
    """
    @param task tidelock.Task
    @return any ...
    """)

  static let sleep = APIEntry(
    "sleep(seconds)",
    "Waits.",
    """
    @param seconds number
    """)
}

extension APISection {
  static let tasks = APISection(
    article: "Waiting",
    entries: [.spawn, .await, .sleep],
    types: """
      ---@class tidelock.Task
      ---@field state string
      local Task = {}
      ---Ends the task where it waits.
      function Task:cancel() end
      """)
}
