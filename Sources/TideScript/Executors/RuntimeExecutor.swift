import CTideSlots
import Dispatch
import TideGraph
import TideValues

/// A runtime's serial executor: what runs on it runs in turns of the runtime's loop.
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
/// An actor on it uses the runtime's objects as the runtime does, wherever the loop is turned.
/// While nobody turns the loop nothing runs. When the runtime is gone, what is left and what comes
/// runs on a queue, where it finds that the runtime's objects belong to somebody else.
public final class RuntimeExecutor: SerialExecutor {
  private struct State {
    var waiting: [UnownedJob] = []
    /// How many calls run jobs: with a turn within a job, several.
    var runs = 0
    /// Nil when the runtime is gone.
    var inbox: LoopInbox?
  }

  private let state: Guarded<State>
  private let afterwards = DispatchQueue(label: "tidelock.runtime.executor")
  private let arena: UInt

  init(_ inbox: LoopInbox, _ graph: Graph) {
    state = Guarded(State(inbox: inbox))
    arena = UInt(bitPattern: graph.arenaAddress)
  }

  /// Runs a job after those that were given before; any thread may call it.
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

  /// What an actor returns as its `unownedExecutor`.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Whether a turn of the runtime runs here.
  public func isIsolatingCurrentContext() -> Bool? {
    UInt(bitPattern: tide_thread().pointee.entered) == arena
  }

  /// Stops the program where something else runs here.
  public func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "this runs outside of the runtime's turns")
  }

  /// Runs what is left elsewhere, because the runtime is gone.
  func end() {
    state.withLock { $0.inbox = nil }
    runElsewhere()
  }

  /// Runs what waits on the queue, unless jobs still run: at their end it is run there.
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
    // A job that runs within a task, such as that of `run`, leaves no task behind as the one that
    // runs. The end of a task that began here at once brings the outer one back.
    Task.immediate {
      for job in jobs { job.runSynchronously(on: executor) }
    }
  }
}
