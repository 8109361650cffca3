import CTideSlots
import CTideSystem
import Synchronization
import TideValues

/// The way into an event loop for the rest of the program.
///
/// ```swift
/// let inbox = loop.inbox
/// Thread.detachNewThread { inbox.post { print("on the loop's thread") } }
/// ```
///
/// Posting takes a few microseconds and goes past the concurrency pool, which may be busy. What is
/// posted after the end of the loop never runs, and is let go of at once.
package final class LoopInbox: Sendable {
  typealias Body = @Sendable () -> Void

  private struct State {
    var bodies: [Body] = []
    /// Whether a turn may be waiting. A post to a loop that is awake need not ask the kernel.
    var isPolling = false
    /// The driver that sleeps outside of a turn. It stays here while others take what was posted: a
    /// post wakes it, or the end of their turn.
    var sleeper: LoopWait?
    var isClosed = false
    /// Readable when the loop must wake; -1 while closed.
    var waker: Int32 = -1
  }
  private let state = Guarded(State())
  private let owner = Atomic<UInt>(tide_thread_identity())
  private let runsJobs = Atomic(false)

  deinit { closeWaker() }

  /// Runs the body in one of the loop's next turns, after all that was posted before.
  package func post(_ body: @escaping @Sendable () -> Void) {
    let sleeper = state.withLock { state -> LoopWait? in
      if state.isClosed { return nil }
      state.bodies.append(body)
      // With the lock held, because a closed descriptor may be reused.
      if state.isPolling, state.waker >= 0 { tide_waker_wake(state.waker) }
      defer { (state.isPolling, state.sleeper) = (false, nil) }
      return state.sleeper
    }
    sleeper?.wake()
  }

  /// Whether jobs of an executor run in a turn. What suspends there continues in a later turn.
  var isRunningJobs: Bool { runsJobs.load(ordering: .relaxed) }

  /// Runs jobs of an executor, in a turn of the loop.
  package func runJobs(_ body: () -> Void) {
    let isNested = runsJobs.exchange(true, ordering: .relaxed)
    body()
    runsJobs.store(isNested, ordering: .relaxed)
  }

  /// The number of the thread that turned the loop last.
  package var thread: UInt { owner.load(ordering: .relaxed) }

  /// Releases what was posted, and closes the descriptor. Later posts do nothing.
  package func close() {
    closeWaker()
    let dropped = state.withLock { state in
      state.isClosed = true
      defer { state.bodies = [] }
      return state.bodies
    }
    // Outside of the lock, because letting go may run anything.
    withExtendedLifetime(dropped) {}
  }

  var isEmpty: Bool { state.withLock { $0.bodies.isEmpty } }

  /// Lets posts end the turn's wait from now on; false if something has been posted.
  func beginPolling() -> Bool {
    state.withLock { state in
      state.isPolling = state.bodies.isEmpty
      return state.isPolling
    }
  }

  /// Lets posts wake the driver from now on; false if something has been posted.
  func fallAsleep(_ wait: LoopWait) -> Bool {
    state.withLock { state in
      guard state.bodies.isEmpty else { return false }
      state.sleeper = wait
      return true
    }
  }

  /// Ends that: posts no longer wake it.
  func wakeUp(_ wait: LoopWait) {
    state.withLock { state in
      if state.sleeper === wait { state.sleeper = nil }
    }
  }

  /// Wakes the sleeping driver, if any.
  func wakeSleeper() {
    let sleeper = state.withLock { state in
      defer { state.sleeper = nil }
      return state.sleeper
    }
    sleeper?.wake()
  }

  /// Opens the descriptor that is readable when the loop must wake; -1, and the reason in `errno`,
  /// if the system has none left.
  func openWaker() -> Int32 {
    state.withLock { state in
      if state.waker >= 0 { return state.waker }
      state.waker = tide_waker_make()
      // Posts since the loop began to poll found no waker.
      if state.waker >= 0, !state.bodies.isEmpty { tide_waker_wake(state.waker) }
      return state.waker
    }
  }

  /// Closes that descriptor. Not while the loop waits.
  func closeWaker() {
    state.withLock { state in
      if state.waker >= 0 { closeDescriptor(state.waker) }
      state.waker = -1
    }
  }

  /// What was posted so far.
  func takeAll() -> [Body] {
    owner.store(tide_thread_identity(), ordering: .relaxed)
    return state.withLock { state in
      state.isPolling = false
      defer { state.bodies = [] }
      return state.bodies
    }
  }
}

/// The system's `close`, which the inbox's own hides.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
