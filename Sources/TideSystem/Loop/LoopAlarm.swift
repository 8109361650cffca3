import Dispatch
import TideValues

/// Wakes the suspended driver of a loop when a descriptor is ready or a deadline has passed.
///
/// Each loop has one, which is set for each wait. It may wake the driver too early, never too late.
// Unchecked, because the lock guards the state, and Dispatch's sources may be used by any thread,
// though they do not say so here.
final class LoopAlarm: @unchecked Sendable {
  private struct State {
    /// Whether the source is active: from `set` until a descriptor is ready.
    var isReading = false
    /// When the timer fires, by the system's clock.
    var deadline = Double.infinity
  }

  private let state = Guarded(State())
  private let reading: any DispatchSourceRead
  private let timer: any DispatchSourceTimer
  private let inbox: LoopInbox

  /// Makes one; nil if the system has no descriptor left.
  ///
  /// - Parameter poller: a descriptor that is readable when one of the loop's is ready.
  init?(poller: Int32, _ inbox: LoopInbox) {
    // A copy, because the source may outlive the loop.
    let descriptor = dup(poller)
    if descriptor < 0 { return nil }
    self.inbox = inbox
    reading = DispatchSource.makeReadSource(fileDescriptor: descriptor)
    timer = DispatchSource.makeTimerSource()
    reading.setCancelHandler { close(descriptor) }
    reading.setEventHandler { [weak self] in self?.descriptorIsReady() }
    timer.setEventHandler { [weak self] in self?.timerFired() }
    timer.activate()
  }

  deinit {
    // A suspended source must not be released.
    if !state.withLock({ $0.isReading }) { reading.resume() }
    reading.cancel()
    timer.cancel()
  }

  /// Sets it for a deadline by the system's clock, nil for none, and for descriptors if there are
  /// any.
  func set(_ newDeadline: Double?, hasDescriptors: Bool) {
    state.withLock { state in
      if hasDescriptors, !state.isReading {
        state.isReading = true
        reading.resume()
      }
      // An earlier deadline stays: waking in vain costs less than setting the timer anew.
      guard let newDeadline, newDeadline < state.deadline else { return }
      state.deadline = newDeadline
      // At most a day, because what is much longer overflows.
      let seconds = min(max(0, newDeadline - EventLoop.monotonicTime()), 86_400)
      timer.schedule(
        deadline: .now() + .nanoseconds(Int((seconds * 1e9).rounded(.up))),
        leeway: .nanoseconds(0))
    }
  }

  private func descriptorIsReady() {
    state.withLock { state in
      guard state.isReading else { return }
      state.isReading = false
      reading.suspend()
    }
    inbox.wakeSleeper()
  }

  private func timerFired() {
    state.withLock { $0.deadline = .infinity }
    inbox.wakeSleeper()
  }
}
