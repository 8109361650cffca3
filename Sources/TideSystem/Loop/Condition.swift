/// A condition variable with a count, so that no signal is lost.
///
/// ```swift
/// let known = condition.count
/// if queue.isEmpty { condition.wait(beyond: known) }   // returns at once if signalled in between
/// ```
// Unchecked, because the lock and the condition are system objects at fixed addresses that threads
// may share; `signals` is accessed only under the lock.
package final class Condition: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var signals = 0

  package init() {
    pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    defer { pthread_condattr_destroy(&attributes) }
    // The system's time may be set while a thread waits.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(lock)
    condition.deallocate()
    lock.deallocate()
  }

  package var count: Int {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return signals
  }

  /// Wakes all waiting threads.
  package func signal() {
    pthread_mutex_lock(lock)
    signals += 1
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(lock)
  }

  /// Waits until the signal count differs from a known value.
  package func wait(beyond known: Int) {
    pthread_mutex_lock(lock)
    while signals == known { pthread_cond_wait(condition, lock) }
    pthread_mutex_unlock(lock)
  }

  /// Waits with a timeout; returns false when it expires.
  package func wait(beyond known: Int, seconds: Double) -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    // Limited to some years, because larger values overflow.
    let nanoseconds = end.tv_nsec + Int((seconds > 0 ? min(seconds, 1e9) : 0) * 1e9)
    end.tv_sec += nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while signals == known {
      if pthread_cond_timedwait(condition, lock, &end) != 0 { return signals != known }
    }
    return true
  }
}
