import TideBindings
import TideGraph
package import TideLua
import TideViews

/// A script's function that runs, waits, and goes on where it waited.
///
/// ```lua
/// local task = spawn(function() sleep(1) return "done" end)
/// print(await(task))
/// task:cancel()       -- harmless when it has ended
/// ```
///
/// Each stretch between two waits is a turn of its own, in the context in which the task was begun,
/// with the contexts open that the script had opened when it waited. Clearing that context cancels
/// the task; while it is disabled the task stands still. A task that is cancelled closes its
/// coroutine, so that its `<close>` variables are closed. One that is just running goes on to its
/// next wait, and is cancelled there.
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
  /// The function to call at the end, if any.
  var site: CallSite? {
    didSet { if case .waiting = progress {} else { tellSite() } }
  }
  /// On whose behalf it runs.
  private let performer: Performer
  /// The writes of the running stretch, and all effects that cannot be taken back.
  lazy var writes = HandlerWrites()
  /// What each of its stretches may take; nil for what the runtime allows.
  var budget: LuaBudget?
  /// Interrupts it when the host's task that waits for it is cancelled.
  var cancellation: RunCancellation?
  /// Whether its error has been delivered to an awaiting task.
  var isAwaited = false
  /// Told when it goes on, and when it waits again or has ended.
  package var onStretch: ((_ isRunning: Bool) -> Void)?
  /// Whether a script holds it and may await it yet.
  private let hasHandle: Bool
  private var thread: LuaThread?
  private var waiting: Wait.Handle?
  /// What the script had opened, inside the task's own context, when it waited.
  private var opened: [OpenContext] = []
  private var observers = NumberedList<(Outcome) -> Void>()
  private var isCancelling = false
  private var isEnabled = true
  private var contextEntry: ContextEntry?
  /// How often the context had been cleared when the task began.
  private let clearCount: Int
  /// Whether the task read a selection that the acting person had not seen. The person is then told
  /// of the selection, not of the error.
  private var isRefused = false

  /// A task that has not begun, which belongs to the context.
  init(_ runtime: Runtime, in context: BindingContext) {
    owner = runtime.home
    self.context = context
    clearCount = context.clearCount
    performer = runtime.performer
    hasHandle = true
    runtime.tasks.running[ObjectIdentifier(self)] = self
    belong()
  }

  /// A task for a call that waits already. One that does not belong to its context is cancelled by
  /// who made it, and was not called with its context open.
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

  /// The person whose act has begun it; nil for the program.
  var actor: ScenePerson? { performer.person }

  deinit { ChainedRelease.release(&awaited, leaving: nil) }

  private func belong() {
    contextEntry = context.own(setEnabled: { [unowned self] in setEnabled($0) }) { [self] in
      cancel()
    }
  }

  /// Runs the function until it first waits.
  func start(_ function: LuaFunction, _ arguments: [LuaValue]) {
    advance { runtime in
      switch try function.start(arguments) {
      case .finished(let results): self.end(.success(results))
      case let start: self.adopt(start, runtime)
      }
    }
  }

  /// Runs a coroutine that has not begun until it first waits.
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

  /// Waits for another task. Throws where that would never end.
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

  /// Goes on with what has come from outside, now if its context is not disabled. What stands for
  /// the outcome's memory lives as long as the outcome.
  func arrive(_ outcome: Outcome, holding holder: AnyObject? = nil) {
    if !isEnabled { return resumeSoon(outcome, holding: holder) }
    withExtendedLifetime(holder) { resume(outcome) }
  }

  /// Goes on in a turn of the loop that is to come.
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

  // MARK: Going on

  /// Goes on with what the wait gave.
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
      // The turn begins before a cancellation may interrupt it: its beginning clears interruptions.
      try runtime.lua.turn { _ = try cancellation.whileInterruptible(body) }
    } catch let error as CancellationError {
      // Errors of its closers are dropped in favour of the cancellation.
      if let thread { try? inside(runtime) { try thread.close() } }
      throw error
    }
  }

  /// Runs something with the contexts open that the script had opened.
  private func inside(_ runtime: Runtime, _ body: () throws -> Void) rethrows {
    try runtime.table.with(context) {
      for context in opened { runtime.table.begin(context) }
      opened = []
      defer { opened = runtime.table.takeOpened() }
      try runtime.graph.untracked(body)
    }
  }

  // MARK: The end

  /// Ends it where it waits; harmless when it has ended.
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

  /// Lists an error that nobody else gets; a script that holds the task has until the next turn to
  /// await it.
  private func report(_ error: any Error) {
    guard let runtime = owner.runtime else { return }
    // There is no later turn where the interpreter is closed.
    guard hasHandle, !runtime.isInterpreterClosed else {
      runtime.list(TideError(script: error), of: context)
      return
    }
    runtime.loop.after(0) { [self] in
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

  /// What it ended with; nil while it has not.
  package var result: Outcome? {
    switch progress {
    case .running, .waiting: nil
    case .finished(let results): .success(results)
    case .failed(let error): .failure(error)
    case .cancelled: .failure(TideError(.cancelled, "the task was cancelled"))
    }
  }

  /// Calls a function with what the task ends with, unless that is taken back by the number.
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
  /// The value that a script raised, to be raised again; nil for what a Swift function threw, and
  /// for a limit that was reached.
  var raised: LuaValue? {
    if let value { return value }
    return kind == .runtime && cause == nil && location != nil ? .string(description) : nil
  }
}

/// What a script's call waits for, from the call until the task that it belongs to takes it up.
struct Wait {
  /// Sees to it that the task is resumed; what it throws is raised at the waiting line.
  let begin: (ScriptTask) throws -> Handle

  /// A wait that is under way.
  struct Handle {
    let cancel: () -> Void
    /// Holds it back while the task's context is disabled.
    var setEnabled: ((Bool) -> Void)?
  }
}
