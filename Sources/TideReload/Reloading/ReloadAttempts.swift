import TideBindings
import TideScript

/// The state kept between a runtime's reloads, and the receivers of reload reports.
final class ReloadAttempts {
  /// Modules whose current files have not run successfully yet, because a reload with them failed.
  var unfinished: Set<String> = []
  private var listeners: [Int: AsyncStream<RuntimeReport>.Continuation] = [:]
  private var nextListener = 0
  private let inbox: LoopInbox

  init(_ runtime: Runtime) {
    inbox = runtime.loop.inbox
    runtime.errorLog.onListing = { [unowned self] in tell(.error($0)) }
  }

  deinit {
    for listener in listeners.values { listener.finish() }
  }

  func tell(_ report: RuntimeReport) {
    for listener in listeners.values { listener.yield(report) }
  }

  func listen() -> AsyncStream<RuntimeReport> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1000)) { continuation in
      let number = nextListener
      nextListener += 1
      listeners[number] = continuation
      // The reader may be on another thread.
      let leave = ThreadBound { [weak self] in self?.listeners[number] = nil }
      continuation.onTermination = { [inbox] _ in inbox.post { leave.value() } }
    }
  }
}

extension Runtime {
  var attempts: ReloadAttempts {
    if let known = loader.audience as? ReloadAttempts { return known }
    let made = ReloadAttempts(self)
    loader.audience = made
    return made
  }
}
