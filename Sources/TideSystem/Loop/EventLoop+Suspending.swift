import Dispatch
import TideValues

extension EventLoop {
  /// Suspends until there is something to do: a timer is due, a descriptor can be read, something
  /// was posted, or the task is cancelled. It may return early. The thread is free meanwhile.
  package nonisolated(nonsending) func untilSomethingIsDue() async {
    guard arrived.isEmpty, inbox.isEmpty else { return }
    let seconds = nextDeadline.map { $0 - now() }
    // A virtual clock moves to the next deadline without waiting.
    if let seconds, seconds <= 0 || clock != nil { return }
    guard !Task.isCancelled, inbox.fallAsleep() else { return }
    await descriptors.untilReadable(seconds, inbox, suspended)
  }

  /// Lets all who are suspended look again.
  package func wakeSuspended() { suspended.wakeAll() }
}

extension DescriptorTable {
  /// Suspends until one of the descriptors can be read, or so many seconds are over, or the task is
  /// cancelled.
  nonisolated(nonsending) func untilReadable(
    _ seconds: Double?, _ inbox: LoopInbox, _ suspended: SuspendedWaits
  ) async {
    // A copy, because the wait may still be known to the system when the loop has ended.
    let descriptor = dup(poller)
    if descriptor < 0 { return }
    // What is within runs on no actor, so it touches nothing that belongs to one.
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        suspended.begin(LoopWait(descriptor, seconds, continuation))
      }
    } onCancel: {
      inbox.post {}
    }
  }
}

/// The waits for a loop's descriptors that have not ended.
final class SuspendedWaits: Sendable {
  private let waits = Guarded<[LoopWait]>([])

  fileprivate func begin(_ wait: LoopWait) {
    waits.withLock { waits in
      waits.removeAll { $0.isOver }
      waits.append(wait)
    }
    wait.begin()
  }

  func wakeAll() {
    let waiting = waits.withLock { $0 }
    for wait in waiting { wait.end() }
  }
}

/// One wait for a descriptor, with a time limit.
// Unchecked, because Dispatch's sources may be used by any thread, though they do not say so here.
private final class LoopWait: @unchecked Sendable {
  private let reading: any DispatchSourceRead
  private let timer: any DispatchSourceTimer
  private let continuation: Guarded<CheckedContinuation<Void, Never>?>

  init(_ descriptor: Int32, _ seconds: Double?, _ continuation: CheckedContinuation<Void, Never>) {
    self.continuation = Guarded(continuation)
    reading = DispatchSource.makeReadSource(fileDescriptor: descriptor)
    timer = DispatchSource.makeTimerSource()
    // At most a day, because what is much longer overflows.
    let nanoseconds = seconds.map { Int(min(max(0, $0), 86_400) * 1e9) }
    timer.schedule(
      deadline: nanoseconds.map { .now() + .nanoseconds($0) } ?? .distantFuture,
      leeway: .nanoseconds(0))
    reading.setEventHandler { self.end() }
    timer.setEventHandler { self.end() }
    reading.setCancelHandler { close(descriptor) }
  }

  func begin() {
    reading.activate()
    timer.activate()
  }

  var isOver: Bool { continuation.withLock { $0 == nil } }

  func end() {
    guard
      let waiting = continuation.withLock({ waiting in
        defer { waiting = nil }
        return waiting
      })
    else { return }
    reading.cancel()
    timer.cancel()
    waiting.resume()
  }
}
