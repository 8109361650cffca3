import TideGraph

/// Lets asynchronous functions of a test wait until it opens a gate by its name.
final class Gates: Sendable {
  private struct Gate {
    let stream: AsyncStream<Void>
    let opener: AsyncStream<Void>.Continuation
  }
  private let gates = Guarded<[String: Gate]>([:])
  /// The names that were waited for, and those whose wait was cancelled.
  private let log = Guarded<(reached: [String], cancelled: [String])>(([], []))

  var reached: [String] { log.withLock { $0.reached } }
  var cancelled: [String] { log.withLock { $0.cancelled } }

  /// Returns when the gate is open, or when the task is cancelled.
  func wait(_ name: String) async {
    log.withLock { $0.reached.append(name) }
    for await _ in gate(name).stream { return }
    if Task.isCancelled { log.withLock { $0.cancelled.append(name) } }
  }

  func open(_ name: String) { gate(name).opener.yield() }

  private func gate(_ name: String) -> Gate {
    gates.withLock { gates in
      if let known = gates[name] { return known }
      let (stream, opener) = AsyncStream.makeStream(of: Void.self)
      gates[name] = Gate(stream: stream, opener: opener)
      return Gate(stream: stream, opener: opener)
    }
  }
}
