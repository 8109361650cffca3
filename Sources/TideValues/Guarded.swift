#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A value that several threads share under a lock.
///
/// ```swift
/// let waiting = Guarded<[Int]>([])
/// waiting.withLock { $0.append(1) }
/// ```
///
/// The lock is a pthread mutex, not the standard library's `Mutex`, because the thread sanitizer
/// does not know the latter: programs that use the engine need no suppressions.
// Unchecked, because `state` is only used under the lock, and `lock` never changes.
package final class Guarded<State>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var state: State

  package init(_ state: consuming sending State) {
    lock = .allocate(capacity: 1)
    self.state = state
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Calls a function with the value while other threads are locked out. Not reentrant.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&state)
  }
}
