import CTideSlots
import CTideSystem
import Synchronization
import TideValues

/// Passes functions from other threads to an event loop.
///
/// ```swift
/// let inbox = loop.inbox
/// Thread.detachNewThread { inbox.post { print("on the loop's thread") } }
/// ```
///
/// Posting takes a few microseconds and does not depend on the cooperative pool, which may be busy.
/// Functions posted after the end of the loop are released immediately and never run.
package final class LoopInbox: Sendable {
  typealias Body = @Sendable () -> Void

  private struct State {
    var bodies: [Body] = []
    /// Whether a turn may be waiting in the kernel. A post to a loop that is awake needs no system
    /// call.
    var isPolling = false
    /// The driver suspended outside of a turn. It stays here while another caller takes posted
    /// functions; a later post, or the end of that turn, wakes it.
    var sleeper: LoopWait?
    var isClosed = false
    /// The descriptor that wakes the loop when readable; -1 while closed.
    var waker: Int32 = -1
  }
  private let state = Guarded(State())
  private let owner = Atomic<UInt>(tide_thread_identity())
  private let runsJobs = Atomic(false)

  deinit { closeWaker() }

  /// Runs a function in one of the loop's next turns, after all functions posted earlier.
  package func post(_ body: @escaping @Sendable () -> Void) {
    let sleeper = state.withLock { state -> LoopWait? in
      if state.isClosed { return nil }
      state.bodies.append(body)
      // Under the lock, because the number of a closed descriptor may be reused.
      if state.isPolling, state.waker >= 0 { tide_waker_wake(state.waker) }
      defer { (state.isPolling, state.sleeper) = (false, nil) }
      return state.sleeper
    }
    sleeper?.wake()
  }

  /// Whether executor jobs are running in a turn. Tasks that suspend there resume in a later turn.
  var isRunningJobs: Bool { runsJobs.load(ordering: .relaxed) }

  /// Runs executor jobs in a turn of the loop.
  package func runJobs(_ body: () -> Void) {
    let isNested = runsJobs.exchange(true, ordering: .relaxed)
    body()
    runsJobs.store(isNested, ordering: .relaxed)
  }

  /// The identity of the thread that turned the loop last.
  package var thread: UInt { owner.load(ordering: .relaxed) }

  /// Releases the posted functions and closes the descriptor. Later posts have no effect.
  package func close() {
    closeWaker()
    let dropped = state.withLock { state in
      state.isClosed = true
      defer { state.bodies = [] }
      return state.bodies
    }
    // Outside of the lock, because deinitializers may run arbitrary code.
    withExtendedLifetime(dropped) {}
  }

  var isEmpty: Bool { state.withLock { $0.bodies.isEmpty } }

  /// Lets posts end the turn's wait from now on. Returns false if something has already been
  /// posted.
  func beginPolling() -> Bool {
    state.withLock { state in
      state.isPolling = state.bodies.isEmpty
      return state.isPolling
    }
  }

  /// Lets posts wake the driver from now on. Returns false if something has already been posted.
  func fallAsleep(_ wait: LoopWait) -> Bool {
    state.withLock { state in
      guard state.bodies.isEmpty else { return false }
      state.sleeper = wait
      return true
    }
  }

  /// Stops posts from waking the driver.
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

  /// Opens the descriptor that wakes the loop. Returns -1 with `errno` if none are left.
  func openWaker() -> Int32 {
    state.withLock { state in
      if state.waker >= 0 { return state.waker }
      state.waker = tide_waker_make()
      // Posts since the loop began to poll had no waker to signal.
      if state.waker >= 0, !state.bodies.isEmpty { tide_waker_wake(state.waker) }
      return state.waker
    }
  }

  /// Closes the waker. Must not be called while the loop waits.
  func closeWaker() {
    state.withLock { state in
      if state.waker >= 0 { closeDescriptor(state.waker) }
      state.waker = -1
    }
  }

  /// Takes the functions posted so far.
  func takeAll() -> [Body] {
    owner.store(tide_thread_identity(), ordering: .relaxed)
    return state.withLock { state in
      state.isPolling = false
      defer { state.bodies = [] }
      return state.bodies
    }
  }
}

/// The system's `close`, which the inbox's own method hides.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
