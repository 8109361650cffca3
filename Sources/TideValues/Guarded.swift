#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A value that several threads use, one at a time.
///
/// ```swift
/// let waiting = Guarded<[Int]>([])
/// waiting.withLock { $0.append(1) }
/// ```
///
/// Its lock is a pthread mutex rather than the standard library's `Mutex`, because only the former
/// is known to the thread sanitizer: programs that use the engine need no list of exceptions.
// Unchecked, because `state` is used under the lock only, and `lock` never changes.
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

  /// Gives the value to a function, and lets other threads wait meanwhile. Not to be called within
  /// itself.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&state)
  }
}
