import CTideSlots
import TideGraph
import TideSystem

/// A serial executor with its own thread, for one or several actors.
///
/// ```swift
/// actor Store {
///   private let executor = TideExecutor()
///   nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
/// }
/// ```
///
/// Everything that runs on it shares one graph, and so its objects, contexts and runtimes. It uses
/// no thread of the concurrency pool. The thread ends with the executor, which its actors must
/// retain.
public final class TideExecutor: SerialExecutor {
  private let jobs: JobQueue

  /// Starts the thread.
  public init() {
    jobs = JobQueue()
    jobs.start(for: self)
  }

  deinit { jobs.close() }

  /// Runs a job after all earlier ones. Any thread may call it.
  public func enqueue(_ job: consuming ExecutorJob) { jobs.add(UnownedJob(job), of: self) }

  /// The value for an actor's `unownedExecutor`.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Whether the caller runs on the executor's thread.
  public func isIsolatingCurrentContext() -> Bool? { jobs.isOwnThread }

  /// Traps if the caller does not run on the executor's thread.
  public func checkIsolated() {
    precondition(jobs.isOwnThread, "this runs on another thread than the executor's")
  }
}

/// The jobs of an executor, and the thread that runs them.
// Unchecked, because the lock guards everything but the condition, which may be used by any thread.
private final class JobQueue: @unchecked Sendable {
  private struct State {
    var waiting: [UnownedJob] = []
    /// Retained until the jobs have run: the last one may release the actor that owns the executor.
    var executor: TideExecutor?
    var isClosed = false
    var thread: UInt = 0
  }

  private let lock: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
  private let wanted: UnsafeMutablePointer<pthread_cond_t> = .allocate(capacity: 1)
  private var state = State()

  init() {
    pthread_mutex_init(lock, nil)
    pthread_cond_init(wanted, nil)
  }

  deinit {
    pthread_cond_destroy(wanted)
    pthread_mutex_destroy(lock)
    wanted.deallocate()
    lock.deallocate()
  }

  func start(for executor: TideExecutor) {
    let start = Start(queue: self, executor: executor.asUnownedSerialExecutor(), of: executor)
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(start)
    let failure = pthread_create(
      &thread, nil,
      { argument in
        let argument: UnsafeMutableRawPointer? = argument
        guard let argument else { return nil }
        Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    precondition(failure == 0, "the system refuses a thread")
    pthread_detach(thread)
  }

  var isOwnThread: Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return state.thread == UInt(tide_thread_identity())
  }

  func add(_ job: UnownedJob, of executor: TideExecutor) {
    pthread_mutex_lock(lock)
    state.waiting.append(job)
    state.executor = executor
    pthread_cond_signal(wanted)
    pthread_mutex_unlock(lock)
  }

  func close() {
    pthread_mutex_lock(lock)
    state.isClosed = true
    pthread_cond_signal(wanted)
    pthread_mutex_unlock(lock)
  }

  private struct Batch {
    let jobs: [UnownedJob]
    let executor: TideExecutor?
  }

  /// Waits for jobs; nil after the executor was closed.
  private func next() -> Batch? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while state.waiting.isEmpty {
      if state.isClosed { return nil }
      pthread_cond_wait(wanted, lock)
    }
    defer {
      state.waiting = []
      state.executor = nil
    }
    return Batch(jobs: state.waiting, executor: state.executor)
  }

  /// The argument of the new thread.
  private final class Start {
    private let queue: JobQueue
    private let executor: UnownedSerialExecutor
    private let identity: UnsafeRawPointer

    init(queue: JobQueue, executor: UnownedSerialExecutor, of object: TideExecutor) {
      self.queue = queue
      self.executor = executor
      identity = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }

    func run() {
      // Code on this thread outside of jobs shares their graph.
      tide_thread().pointee.pinned = identity
      pthread_mutex_lock(queue.lock)
      queue.state.thread = UInt(tide_thread_identity())
      pthread_mutex_unlock(queue.lock)
      while let batch = queue.next() {
        withExtendedLifetime(batch.executor) {
          for job in batch.jobs { job.runSynchronously(on: executor) }
        }
      }
      // A new executor may get the same address.
      tide_thread().pointee.pinned = nil
      tide_thread().pointee.own = nil
    }
  }
}

/// A global actor with its own thread, for runtimes and models that are not on the main actor.
///
/// ```swift
/// @TideActor func start() async throws {
///   let runtime = try Runtime(app: URL(filePath: "app.lua"))
///   try runtime.load()
///   _ = try await runtime.run()
/// }
/// ```
///
/// Everything isolated to it shares one graph. A program that wants several threads gives each of
/// its actors a ``TideExecutor``.
@globalActor
public actor TideActor {
  /// The shared instance.
  public static let shared = TideActor()

  private static let executor = TideExecutor()

  /// The executor with the thread that it runs on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    Self.executor.asUnownedSerialExecutor()
  }
}
