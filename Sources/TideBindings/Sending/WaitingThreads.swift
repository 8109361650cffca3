import CTideSlots
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The threads that wait for other threads' loops, so that none waits for one that waits for it.
///
///     thread 1 ──waits for──▶ thread 2 ──waits for──▶ thread 3 ─ ✗ ─▶ thread 1
enum WaitingThreads {
  private static let awaited = Mutex<[UInt: UInt]>([:])

  /// Blocks the calling thread until the rendezvous is over. Throws how it ended, or `deadlock`.
  static func wait(
    for thread: UInt, _ begin: (Rendezvous) -> Void
  ) throws(TideError) {
    let own = UInt(tide_thread_identity())
    guard enter(own, thread) else {
      throw TideError(
        .deadlock,
        "the thread that this waits for waits itself for this one, so neither would go on")
    }
    defer { awaited.withLock { $0[own] = nil } }
    let rendezvous = Rendezvous()
    begin(rendezvous)
    try rendezvous.wait()
  }

  private static func enter(_ own: UInt, _ other: UInt) -> Bool {
    awaited.withLock { awaited in
      var next: UInt? = other
      while let thread = next {
        if thread == own { return false }
        next = awaited[thread]
      }
      awaited[own] = other
      return true
    }
  }
}

/// Where one thread waits until another has done something.
final class Rendezvous: @unchecked Sendable {
  // Guarded by the lock.
  private var result: Result<Void, TideError>?
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(lock, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(lock)
    condition.deallocate()
    lock.deallocate()
  }

  /// Ends the wait; only the first call counts.
  func complete(with result: Result<Void, TideError>) {
    pthread_mutex_lock(lock)
    if self.result == nil { self.result = result }
    pthread_cond_signal(condition)
    pthread_mutex_unlock(lock)
  }

  fileprivate func wait() throws(TideError) {
    pthread_mutex_lock(lock)
    while result == nil { pthread_cond_wait(condition, lock) }
    let result = result
    pthread_mutex_unlock(lock)
    try result?.get()
  }
}

/// What is on its way to a loop while its sender waits: when the loop ends without it, so does the
/// wait.
final class Arrival: Sendable {
  private let rendezvous: Rendezvous

  init(_ rendezvous: Rendezvous) { self.rendezvous = rendezvous }

  deinit {
    complete(
      with: .failure(TideError(.disposed, "the runtime ended before the value was delivered")))
  }

  func complete(with result: Result<Void, TideError>) { rendezvous.complete(with: result) }
}
