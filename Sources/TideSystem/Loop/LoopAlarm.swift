import Dispatch
import TideValues

/// Wakes the suspended driver of a loop when a descriptor is ready or a deadline has passed.
///
/// Each loop has one alarm, which is set for each wait. It may wake the driver early, but never
/// late.
// Unchecked, because the lock guards the state, and Dispatch sources are thread-safe although they
// are not declared so here.
final class LoopAlarm: @unchecked Sendable {
  private struct State {
    /// Whether the read source is active: from `set` until a descriptor is ready.
    var isReading = false
    /// The time at which the timer fires, by the system's clock.
    var deadline = Double.infinity
  }

  private let state = Guarded(State())
  private let reading: any DispatchSourceRead
  private let timer: any DispatchSourceTimer
  private let inbox: LoopInbox

  /// Creates an alarm; nil if no descriptors are left.
  ///
  /// - Parameter poller: a descriptor that is readable when one of the loop's descriptors is ready.
  init?(poller: Int32, _ inbox: LoopInbox) {
    // A duplicate, because the source may outlive the loop.
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
    // Dispatch does not allow releasing a suspended source.
    if !state.withLock({ $0.isReading }) { reading.resume() }
    reading.cancel()
    timer.cancel()
  }

  /// Sets the alarm for a deadline by the system's clock, or nil, and for descriptors if there are
  /// any.
  func set(_ newDeadline: Double?, hasDescriptors: Bool) {
    state.withLock { state in
      if hasDescriptors, !state.isReading {
        state.isReading = true
        reading.resume()
      }
      // Keeps an earlier deadline: a spurious wake-up costs less than rescheduling the timer.
      guard let newDeadline, newDeadline < state.deadline else { return }
      state.deadline = newDeadline
      // At most a day, because larger values overflow.
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
