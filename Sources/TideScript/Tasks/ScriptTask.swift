import TideBindings
import TideGraph
package import TideLua
import TideViews

/// A script's function that runs, waits, and continues after each wait.
///
/// ```lua
/// local task = spawn(function() sleep(1) return "done" end)
/// print(await(task))
/// task:cancel()       -- harmless when it has ended
/// ```
///
/// Each stretch between two waits is a turn of its own. It runs in the context in which the task
/// was started, inside the contexts that the script had opened when it waited. Clearing that
/// context cancels the task; disabling it pauses the task. A cancelled task closes its coroutine,
/// and with it the `<close>` variables. A task that is cancelled while running continues to its
/// next wait.
package final class ScriptTask {
  enum Progress {
    case running, waiting, cancelled
    case finished([LuaValue])
    case failed(any Error)
  }

  package typealias Outcome = Result<[LuaValue], any Error>

  let owner: Home
  let context: BindingContext
  private(set) var progress = Progress.running
  /// The task that this one awaits.
  private(set) var awaited: ScriptTask?
  /// Reports the result to this call site at the end, if any.
  var site: CallSite? {
    didSet { if case .waiting = progress {} else { tellSite() } }
  }
  /// On whose behalf the task runs.
  private let performer: Performer
  /// The writes of the running stretch, and all effects that cannot be rolled back.
  lazy var writes = HandlerWrites()
  /// The budget of each stretch; nil for the runtime's own limits.
  var budget: LuaBudget?
  /// Interrupts the task when the waiting task of the host is cancelled.
  var cancellation: RunCancellation?
  /// Whether its error has been delivered to an awaiting task.
  var isAwaited = false
  /// Called before and after each stretch.
  package var onStretch: ((_ isRunning: Bool) -> Void)?
  /// Whether a script has a reference to the task, and may still await it.
  private let hasHandle: Bool
  private var thread: LuaThread?
  private var waiting: Wait.Handle?
  /// The contexts that the script had opened, inside the task's own context, when it waited.
  private var opened: [OpenContext] = []
  private var observers = NumberedList<(Outcome) -> Void>()
  private var isCancelling = false
  private var isEnabled = true
  private var contextEntry: ContextEntry?
  /// The context's clear count when the task began.
  private let clearCount: Int
  /// Whether the task read a selection that the acting person had not seen. The person is then
  /// notified of the selection instead of the error.
  private var isRefused = false

  /// Creates a task that has not started and belongs to the context.
  init(_ runtime: Runtime, in context: BindingContext) {
    owner = runtime.home
    self.context = context
    clearCount = context.clearCount
    performer = runtime.performer
    hasHandle = true
    runtime.tasks.running[ObjectIdentifier(self)] = self
    belong()
  }

  /// Creates a task for a call that is already waiting. If it does not belong to its context, its
  /// creator cancels it, and it was not called with the context open.
  init(
    _ runtime: Runtime, _ start: LuaStart, in context: BindingContext, clearCount: Int,
    belongs: Bool = true
  ) {
    owner = runtime.home
    self.context = context
    self.clearCount = clearCount
    performer = runtime.performer
    hasHandle = false
    runtime.tasks.running[ObjectIdentifier(self)] = self
    if belongs {
      opened = runtime.table.takeOpened()
      belong()
    }
    adopt(start, runtime)
  }

  /// The person whose act has started it; nil for the program.
  var actor: ScenePerson? { performer.person }

  deinit { ChainedRelease.release(&awaited, leaving: nil) }

  private func belong() {
    contextEntry = context.own(setEnabled: { [unowned self] in setEnabled($0) }) { [self] in
      cancel()
    }
  }

  /// Runs the function up to its first wait.
  func start(_ function: LuaFunction, _ arguments: [LuaValue]) {
    advance { runtime in
      switch try function.start(arguments) {
      case .finished(let results): self.end(.success(results))
      case let start: self.adopt(start, runtime)
      }
    }
  }

  /// Runs a new coroutine up to its first wait.
  func start(_ thread: LuaThread, _ arguments: [LuaValue]) {
    self.thread = thread
    advance { runtime in self.adopt(try thread.resume(arguments), runtime) }
  }

  // MARK: Waiting

  private func adopt(_ progress: LuaThread.Progress, _ runtime: Runtime) {
    switch progress {
    case .finished(let results): end(.success(results))
    case .suspended: adoptWait(runtime)
    case .yielded: refuseYield()
    }
  }

  private func adopt(_ start: LuaStart, _ runtime: Runtime) {
    switch start {
    case .finished(let results): end(.success(results))
    case .waiting(let thread):
      self.thread = thread
      adoptWait(runtime)
    case .yielded(let thread):
      self.thread = thread
      refuseYield()
    }
  }

  private func adoptWait(_ runtime: Runtime) {
    let wait = runtime.tasks.pendingWaits.popLast()
    progress = .waiting
    if isCancelling || context.clearCount != clearCount {
      opened = runtime.table.takeOpened()
      return cancel()
    }
    do {
      guard let wait else { throw LuaError.unresumed }
      waiting = try wait.begin(self)
      if !isEnabled { waiting?.setEnabled?(false) }
    } catch {
      resumeSoon(.failure(error))
    }
  }

  private func refuseYield() {
    progress = .waiting
    if isCancelling { return cancel() }
    resumeSoon(.failure(LuaError(.runtime, "attempt to yield from outside a coroutine")))
  }

  /// Waits for another task. Throws if the tasks would wait for each other.
  func wait(for task: ScriptTask) throws -> Wait.Handle {
    try checkDeadlock(waitingFor: task)
    awaited = task
    let number = task.whenEnded { [weak self] in self?.resumeSoon($0) }
    return Wait.Handle(cancel: { task.forget(number) })
  }

  private func checkDeadlock(waitingFor task: ScriptTask) throws {
    if task === self { throw TideError(.deadlock, "a task awaits itself, which would never end") }
    // Without observers no other task waits for this one, not even indirectly.
    if observers.isEmpty { return }
    var clock = WorkClock()
    var next = task.awaited
    while let other = next {
      if other === self {
        throw TideError(.deadlock, "these tasks await each other, which would never end")
      }
      try clock.step()
      next = other.awaited
    }
  }

  /// Continues with an outcome from outside: now, unless the context is disabled. `holder` retains
  /// the memory of the outcome while that is in use.
  func arrive(_ outcome: Outcome, holding holder: AnyObject? = nil) {
    if !isEnabled { return resumeSoon(outcome, holding: holder) }
    withExtendedLifetime(holder) { resume(outcome) }
  }

  /// Continues in the next turn of the loop.
  func resumeSoon(_ outcome: Outcome, holding holder: AnyObject? = nil) {
    guard case .waiting = progress, let runtime = owner.runtime else { return }
    awaited = nil
    let timer = runtime.loop.after(0) { [self] in
      withExtendedLifetime(holder) { resume(outcome) }
    }
    timer.isEnabled = isEnabled
    waiting = Wait.Handle(cancel: { timer.cancel() }, setEnabled: { timer.isEnabled = $0 })
  }

  private func setEnabled(_ isEnabled: Bool) {
    self.isEnabled = isEnabled
    waiting?.setEnabled?(isEnabled)
  }

  // MARK: Resuming

  /// Continues with the outcome of the wait.
  func resume(_ outcome: Outcome) {
    guard case .waiting = progress, let thread else { return }
    if performer.isRevoked { return cancel() }
    progress = .running
    waiting = nil
    onStretch?(true)
    defer { onStretch?(false) }
    advance { runtime in
      let progress = try runtime.graph.measured(Profile.Name(.handler, "a task goes on")) {
        try Self.resume(thread, outcome, runtime)
      }
      self.adopt(progress, runtime)
    }
  }

  private static func resume(
    _ thread: LuaThread, _ outcome: Outcome, _ runtime: Runtime
  ) throws(LuaError) -> LuaThread.Progress {
    do {
      return try give(outcome, to: thread)
    } catch {
      guard error.kind == .memory, thread.isAlive else { throw error }
      // There was no memory for the results, so the coroutine has not been resumed yet.
      runtime.lua.collectGarbage()
      return try thread.resume(throwing: error)
    }
  }

  private static func give(
    _ outcome: Outcome, to thread: LuaThread
  ) throws(LuaError) -> LuaThread.Progress {
    switch outcome {
    case .success(let values): return try thread.resume(values)
    case .failure(let error):
      guard let value = (error as? LuaError)?.raised else {
        return try thread.resume(throwing: error)
      }
      return try thread.resume(raising: value)
    }
  }

  private func advance(_ step: (Runtime) throws -> Void) {
    guard let runtime = owner.runtime else { return }
    runtime.run(as: performer) {
      do {
        try runtime.lua.within(budget) {
          try interruptible(runtime) {
            try runtime.keeping(writes) {
              try inside(runtime) { try step(runtime) }
            }
          }
        }
      } catch {
        isRefused = runtime.isRefusal(error)
        end(.failure(error))
      }
    }
  }

  private func interruptible(_ runtime: Runtime, _ body: () throws -> Void) throws {
    guard let cancellation else { return try body() }
    do {
      // The turn begins first, because its beginning clears interruptions.
      try runtime.lua.turn { _ = try cancellation.whileInterruptible(body) }
    } catch let error as CancellationError {
      // The cancellation takes precedence over errors in `<close>` handlers.
      if let thread { try? inside(runtime) { try thread.close() } }
      throw error
    }
  }

  /// Runs a function inside the contexts that the script had opened.
  private func inside(_ runtime: Runtime, _ body: () throws -> Void) rethrows {
    try runtime.table.with(context) {
      for context in opened { runtime.table.begin(context) }
      opened = []
      defer { opened = runtime.table.takeOpened() }
      try runtime.graph.untracked(body)
    }
  }

  // MARK: The end

  /// Cancels the task at its wait. Does nothing once the task has ended.
  package func cancel() {
    switch progress {
    case .running: isCancelling = true
    case .waiting:
      waiting?.cancel()
      waiting = nil
      awaited = nil
      progress = .cancelled
      close()
      end(.failure(TideError(.cancelled, "the task was cancelled")))
    case .cancelled, .finished, .failed: break
    }
  }

  private func close() {
    guard let thread, let runtime = owner.runtime else { return }
    do {
      try inside(runtime) { try thread.close() }
    } catch {
      runtime.list(TideError(script: error), of: context)
    }
  }

  private func end(_ outcome: Outcome) {
    if case .running = progress {
      switch outcome {
      case .success(let results) where !isCancelling: progress = .finished(results)
      case .success: progress = .cancelled
      case .failure(let error): progress = .failed(error)
      }
    }
    thread = nil
    opened = []
    owner.runtime?.tasks.running[ObjectIdentifier(self)] = nil
    contextEntry?.cancel()
    contextEntry = nil
    let told = observers
    observers = NumberedList()
    if site != nil {
      tellSite()
    } else if !isRefused, case .failed(let error) = progress, told.isEmpty {
      report(error)
    }
    for tell in told { tell(result ?? outcome) }
  }

  /// Lists an error that nobody awaits. A script with a reference to the task has until the next
  /// turn to await it.
  private func report(_ error: any Error) {
    guard let runtime = owner.runtime else { return }
    // A closed interpreter has no later turn.
    guard hasHandle, !runtime.isInterpreterClosed else {
      runtime.list(TideError(script: error), of: context)
      return
    }
    runtime.runLate { [self] in
      guard !isAwaited, let runtime = owner.runtime else { return }
      runtime.run(as: performer) { runtime.list(TideError(script: error), of: context) }
    }
  }

  private func tellSite() {
    guard !isRefused, let site, let runtime = owner.runtime else { return }
    switch progress {
    case .finished: site.succeed(in: runtime)
    case .failed(let error): site.fail(error, in: runtime)
    case .running, .waiting, .cancelled: break
    }
  }

  /// The outcome; nil while the task has not ended.
  package var result: Outcome? {
    switch progress {
    case .running, .waiting: nil
    case .finished(let results): .success(results)
    case .failed(let error): .failure(error)
    case .cancelled: .failure(TideError(.cancelled, "the task was cancelled"))
    }
  }

  /// Calls a function with the outcome. Pass the returned number to `forget` to cancel the call.
  @discardableResult
  package func whenEnded(_ body: @escaping (Outcome) -> Void) -> Int {
    observers.append(body)
  }

  func forget(_ number: Int) { observers.remove(number) }
}

extension ScriptTask.Progress: CustomStringConvertible {
  var description: String {
    switch self {
    case .running: "running"
    case .waiting: "waiting"
    case .cancelled: "cancelled"
    case .finished: "finished"
    case .failed: "failed"
    }
  }
}

extension LuaError {
  /// The value that a script raised, to be raised again. Nil for errors of Swift functions and for
  /// exceeded limits.
  var raised: LuaValue? {
    if let value { return value }
    return kind == .runtime && cause == nil && location != nil ? .string(description) : nil
  }
}

/// The wait of a script's call, until the call's task adopts it.
struct Wait {
  /// Arranges for the task to be resumed. Its errors are raised at the waiting line.
  let begin: (ScriptTask) throws -> Handle

  /// A wait in progress.
  struct Handle {
    let cancel: () -> Void
    /// Pauses the wait while the task's context is disabled.
    var setEnabled: ((Bool) -> Void)?
  }
}
