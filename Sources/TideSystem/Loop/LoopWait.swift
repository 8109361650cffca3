import TideValues

/// One of those who wait for an event loop without keeping a thread.
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
/// It is a semaphore of at most one: a wake that comes before the wait is kept for it, so none is
/// lost. It may end early, so whoever waits looks again for what they wait for. Whoever cancels a
/// task that waits wakes it.
// Unchecked, because the lock guards `state`, and the loop's owner alone uses the rest.
package final class LoopWait: @unchecked Sendable {
  private enum State {
    case awake
    case woken
    case asleep(CheckedContinuation<Void, Never>)
  }

  private let state = Guarded(State.awake)
  /// Whether it drives the loop before those that do not, because it does so anyway.
  let leads: Bool
  /// Whether it may turn the loop: not where it runs in the loop's own turns, which somebody else
  /// makes.
  package let mayDrive: Bool
  /// Where `LoopWaits` has it; nil when it has ended.
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
