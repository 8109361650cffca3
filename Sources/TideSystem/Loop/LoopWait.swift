import TideValues

/// One caller's wait for an event loop, which keeps no thread.
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
/// It is a binary semaphore: a wake before the wait ends the next wait, so none is lost. A wait may
/// end early, so the caller checks its condition again. Cancelling a task does not end its wait:
/// the cancellation handler calls `wake`.
// Unchecked, because the lock guards `state`, and the loop's owner alone uses the rest.
package final class LoopWait: @unchecked Sendable {
  private enum State {
    case awake
    case woken
    case asleep(CheckedContinuation<Void, Never>)
  }

  private let state = Guarded(State.awake)
  /// Whether it drives the loop before waits that do not lead.
  let leads: Bool
  /// Whether it may turn the loop. A wait that began within a turn may not: somebody else makes the
  /// turns in which its caller runs.
  package let mayDrive: Bool
  /// Its index in `LoopWaits`; nil when it has ended.
  var index: Int?

  init(leads: Bool, mayDrive: Bool) {
    self.leads = leads
    self.mayDrive = mayDrive
  }

  /// Ends the wait that is under way, or else the next one. Any thread may call it.
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

  /// Suspends until it is woken.
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
