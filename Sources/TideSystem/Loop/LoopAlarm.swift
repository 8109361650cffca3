import Dispatch
import TideValues

/// Wakes the driver of a loop, whose thread is free meanwhile, when a descriptor can be read or a
/// moment has come.
///
/// It is made once a loop and set again and again. It may wake too early, never too late.
// Unchecked, because the lock guards the state, and Dispatch's sources may be used by any thread,
// though they do not say so here.
final class LoopAlarm: @unchecked Sendable {
  private struct State {
    /// Whether the source is active: from being set until a descriptor can be read.
    var isReading = false
    /// When the timer goes off, by the system's clock.
    var deadline = Double.infinity
  }

  private let state = Guarded(State())
  private let reading: any DispatchSourceRead
  private let timer: any DispatchSourceTimer
  private let inbox: LoopInbox

  /// - Parameter poller: a descriptor that can be read when one of the loop's can; nil is given
  ///   where the system has none left.
  init?(poller: Int32, _ inbox: LoopInbox) {
    // A copy, because the source may still be known to the system when the loop has ended.
    let descriptor = dup(poller)
    if descriptor < 0 { return nil }
    self.inbox = inbox
    reading = DispatchSource.makeReadSource(fileDescriptor: descriptor)
    timer = DispatchSource.makeTimerSource()
    reading.setCancelHandler { close(descriptor) }
    reading.setEventHandler { [weak self] in self?.descriptorIsReady() }
    timer.setEventHandler { [weak self] in self?.timeHasCome() }
    timer.activate()
  }

  deinit {
    // A source that is not active cannot be let go of.
    if !state.withLock({ $0.isReading }) { reading.resume() }
    reading.cancel()
    timer.cancel()
  }

  /// Sets it for a moment by the system's clock, nil for none, and for descriptors where there are
  /// any.
  func set(_ moment: Double?, hasDescriptors: Bool) {
    state.withLock { state in
      if hasDescriptors, !state.isReading {
        state.isReading = true
        reading.resume()
      }
      // One that was set for earlier wakes in vain, which costs less than setting it anew.
      guard let moment, moment < state.deadline else { return }
      state.deadline = moment
      // At most a day, because what is much longer overflows.
      let seconds = min(max(0, moment - EventLoop.monotonicTime()), 86_400)
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

  private func timeHasCome() {
    state.withLock { $0.deadline = .infinity }
    inbox.wakeSleeper()
  }
}
