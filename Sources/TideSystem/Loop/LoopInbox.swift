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
public final class LoopInbox: Sendable {
  typealias Body = @Sendable () -> Void

  private struct State {
    var bodies: [Body] = []
    /// Whether the loop may be waiting; who posts to one that is awake need not ask the kernel.
    var isAsleep = false
    var isClosed = false
  }
  private let state = Guarded(State())
  private let owner = Atomic<UInt>(tide_thread_identity())
  /// Readable when the loop must wake.
  let waker: Int32

  init() throws(SystemError) {
    waker = tide_waker_make()
    if waker < 0 { throw .eventLoop(errno, "no event descriptor can be made") }
  }

  deinit { closeDescriptor(waker) }

  /// Runs the body in one of the loop's next turns, after all that was posted before.
  public func post(_ body: @escaping @Sendable () -> Void) {
    let wakes = state.withLock { state in
      if state.isClosed { return false }
      state.bodies.append(body)
      defer { state.isAsleep = false }
      return state.isAsleep
    }
    if wakes { tide_waker_wake(waker) }
  }

  /// The number of the thread that turned the loop last.
  package var thread: UInt { owner.load(ordering: .relaxed) }

  /// Lets go of what was posted, and of all that will be.
  package func close() {
    let dropped = state.withLock { state in
      state.isClosed = true
      defer { state.bodies = [] }
      return state.bodies
    }
    // Outside of the lock, because letting go may run anything.
    withExtendedLifetime(dropped) {}
  }

  var isEmpty: Bool { state.withLock { $0.bodies.isEmpty } }

  /// From here on posting wakes; false when there is something to do first.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.bodies.isEmpty
      return state.isAsleep
    }
  }

  /// What was posted so far.
  func takeAll() -> [Body] {
    owner.store(tide_thread_identity(), ordering: .relaxed)
    return takeBodies()
  }

  private func takeBodies() -> [Body] {
    state.withLock { state in
      state.isAsleep = false
      defer { state.bodies = [] }
      return state.bodies
    }
  }
}

/// The system's `close`, which the inbox's own hides.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
