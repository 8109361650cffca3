import CTideSlots
import Dispatch
import TideGraph
import TideValues

/// A runtime's serial executor. Its jobs run in turns of the runtime's loop.
///
/// ```swift
/// actor Monitor {
///   nonisolated let executor: RuntimeExecutor
///   nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
///   init(_ executor: RuntimeExecutor) { self.executor = executor }
/// }
/// let monitor = Monitor(runtime.executor)
/// ```
///
/// An actor on this executor can use the runtime's objects directly, on whichever thread the loop
/// is turned. Nothing runs while the loop is not turned. When the runtime is released, remaining
/// and later jobs run on a dispatch queue. There, accesses to the runtime's objects fail because of
/// their owner.
public final class RuntimeExecutor: SerialExecutor {
  private struct State {
    var waiting: [UnownedJob] = []
    /// The number of active calls that run jobs; more than one if a job turns the loop.
    var runs = 0
    /// Nil after the runtime is released.
    var inbox: LoopInbox?
  }

  private let state: Guarded<State>
  private let afterwards = DispatchQueue(label: "tidelock.runtime.executor")
  private let arena: UInt

  init(_ inbox: LoopInbox, _ graph: Graph) {
    state = Guarded(State(inbox: inbox))
    arena = UInt(bitPattern: graph.arenaAddress)
  }

  /// Runs a job after all earlier ones. Any thread may call it.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let inbox = state.withLock { state in
      state.waiting.append(job)
      return state.inbox
    }
    if let inbox {
      inbox.post { inbox.runJobs { self.runWaiting() } }
    } else {
      runElsewhere()
    }
  }

  /// The value for an actor's `unownedExecutor`.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Whether the caller runs in a turn of the runtime.
  public func isIsolatingCurrentContext() -> Bool? {
    UInt(bitPattern: tide_thread().pointee.entered) == arena
  }

  /// Traps if the caller does not run in a turn of the runtime.
  public func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "this runs outside of the runtime's turns")
  }

  /// Moves the remaining jobs to the queue, because the runtime is being released.
  func end() {
    state.withLock { $0.inbox = nil }
    runElsewhere()
  }

  /// Runs waiting jobs on the queue, unless jobs are running; those continue with the queue at
  /// their end.
  private func runElsewhere() {
    if state.withLock({ $0.runs == 0 && !$0.waiting.isEmpty }) {
      afterwards.async { self.runWaiting() }
    }
  }

  private func runWaiting() {
    let jobs = state.withLock { state in
      state.runs += 1
      defer { state.waiting = [] }
      return state.waiting
    }
    defer {
      let isGone = state.withLock { state in
        state.runs -= 1
        return state.inbox == nil
      }
      if isGone { runElsewhere() }
    }
    let executor = asUnownedSerialExecutor()
    guard tide_task_identity() != nil else {
      for job in jobs { job.runSynchronously(on: executor) }
      return
    }
    // A job that runs inside a task, such as that of `run`, would leave no current task behind. The
    // end of an immediate task restores the outer one.
    Task.immediate {
      for job in jobs { job.runSynchronously(on: executor) }
    }
  }
}
