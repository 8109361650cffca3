import TideValues

/// A caller's asynchronous wait for an event loop; it does not block a thread.
///
/// ```swift
/// let wait = loop.beginWait()
/// defer { loop.endWait(wait) }
/// while !isDone {
///   await loop.untilDue(wait)
///   if loop.isDriven(by: wait) { loop.turn(timeout: loop.driverTimeout) }
/// }
/// ```
///
/// It is a binary semaphore: a wake before the wait ends the next wait, so no wake is lost. A wait
/// may end early, so the caller must recheck its condition. Cancelling a task does not end its
/// wait; a cancellation handler should call `wake`.
// Unchecked, because a lock guards `state`, and only the loop's owner accesses the rest.
package final class LoopWait: @unchecked Sendable {
  private enum State {
    case awake
    case woken
    case asleep(CheckedContinuation<Void, Never>)
  }

  private let state = Guarded(State.awake)
  /// Whether it is preferred as the driver.
  let leads: Bool
  /// Whether it may turn the loop. A wait that began within a turn may not, because another caller
  /// runs that turn.
  package let mayDrive: Bool
  /// Its index in `LoopWaits`; nil after its end.
  var index: Int?

  init(leads: Bool, mayDrive: Bool) {
    self.leads = leads
    self.mayDrive = mayDrive
  }

  /// Ends the current wait, or else the next one. Callable from any thread.
  package func wake() {
    let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if case .asleep(let continuation) = state {
        state = .awake
        return continuation
      }
      state = .woken
      return nil
    }
    continuation?.resume()
  }

  /// Suspends until the wait is woken.
  nonisolated(nonsending) func untilWoken() async {
    await withCheckedContinuation { continuation in
      let isWoken = state.withLock { state in
        if case .woken = state {
          state = .awake
          return true
        }
        state = .asleep(continuation)
        return false
      }
      if isWoken { continuation.resume() }
    }
  }
}
