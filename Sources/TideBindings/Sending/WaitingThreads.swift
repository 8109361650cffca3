import CTideSlots
import Dispatch
import TideGraph
import TideValues

/// Records which threads wait for other threads' event loops, so that a cycle is refused as a
/// deadlock.
///
///     thread 1 ──waits for──▶ thread 2 ──waits for──▶ thread 3 ─ ✗ ─▶ thread 1
enum WaitingThreads {
  private static let awaited = Guarded<[UInt: UInt]>([:])

  /// Blocks the calling thread until the rendezvous is over. Throws the error with which it has
  /// ended, or `deadlock`.
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

/// Lets one thread wait until another has completed something.
final class Rendezvous: Sendable {
  private let result = Guarded<Result<Void, TideError>?>(nil)
  private let isOver = DispatchSemaphore(value: 0)

  /// Ends the wait; only the first call counts.
  func complete(with result: Result<Void, TideError>) {
    self.result.withLock { $0 = $0 ?? result }
    isOver.signal()
  }

  fileprivate func wait() throws(TideError) {
    isOver.wait()
    try result.withLock { $0 }?.get()
  }
}

/// A value that is sent to an event loop while its sender waits. If the loop ends without
/// delivering the value, the wait ends as well.
final class Arrival: Sendable {
  private let rendezvous: Rendezvous

  init(_ rendezvous: Rendezvous) { self.rendezvous = rendezvous }

  deinit {
    complete(
      with: .failure(TideError(.disposed, "the runtime ended before the value was delivered")))
  }

  func complete(with result: Result<Void, TideError>) { rendezvous.complete(with: result) }
}
