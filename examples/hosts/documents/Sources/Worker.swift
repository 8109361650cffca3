import Dispatch
import Glibc
import Synchronization

/// Runs the jobs of an actor on a thread of its own, one after another.
///
/// What a runtime holds belongs to a thread, and the concurrency pool would run an actor's jobs on
/// any of its own.
final class Worker: SerialExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let isWanted = DispatchSemaphore(value: 0)

  init() {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Worker>.fromOpaque(argument).takeUnretainedValue().work() }
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    isWanted.signal()
  }

  private func work() {
    while true {
      isWanted.wait()
      jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}
