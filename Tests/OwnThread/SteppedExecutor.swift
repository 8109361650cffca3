import Glibc

/// A serial executor whose jobs run one at a time when a test says so, on the test's thread.
///
/// ```swift
/// actor Stage {
///   nonisolated let executor = SteppedExecutor()
///   nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
/// }
/// while stage.executor.step() {}
/// ```
///
/// So a random test decides in which order jobs, posts and calls of the owner happen. A lost wake
/// shows as a wait that is left when there is nothing to do. Use it on a thread of its own, outside
/// of tasks.
package final class SteppedExecutor: SerialExecutor {
  // Unchecked, because the lock guards the list.
  private final class Jobs: @unchecked Sendable {
    let lock: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
    let arrival: UnsafeMutablePointer<pthread_cond_t> = .allocate(capacity: 1)
    var waiting: [UnownedJob] = []

    init() {
      pthread_mutex_init(lock, nil)
      pthread_cond_init(arrival, nil)
    }

    deinit {
      pthread_cond_destroy(arrival)
      pthread_mutex_destroy(lock)
      arrival.deallocate()
      lock.deallocate()
    }

    /// Takes the next job; waits for it until a time of the system's clock.
    func take(until end: timespec) -> UnownedJob? {
      var end = end
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      while waiting.isEmpty {
        if pthread_cond_timedwait(arrival, lock, &end) != 0, waiting.isEmpty { return nil }
      }
      return waiting.removeFirst()
    }
  }

  private let jobs = Jobs()

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pthread_mutex_lock(jobs.lock)
    jobs.waiting.append(job)
    pthread_cond_signal(jobs.arrival)
    pthread_mutex_unlock(jobs.lock)
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  package func isIsolatingCurrentContext() -> Bool? { true }
  package func checkIsolated() {}

  /// Runs the next job; false where none comes within so many seconds.
  package func step(within seconds: Int = 0) -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_sec += seconds
    guard let job = jobs.take(until: end) else { return false }
    job.runSynchronously(on: asUnownedSerialExecutor())
    return true
  }
}
