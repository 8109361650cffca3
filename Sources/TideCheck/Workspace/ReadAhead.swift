import TideScript
import TideSystem
import TideValues

/// Scripts that several threads read at once.
///
/// It may go from thread to thread because they share the requests and the names, which nobody changes,
/// and the rest is behind a lock.
final class ReadAhead: @unchecked Sendable {
  struct Request {
    let path: String
    /// The file's real path.
    let identity: String
    /// What an editor shows; without it what is on the disk counts.
    let text: String?
    let isSpec: Bool
  }

  struct Result {
    let request: Request
    let stamp: ScriptReader.Stamp
    let outcome: ScriptReader.Outcome
  }

  private struct State {
    var next = 0
    var results: [Result] = []
  }

  private let requests: [Request]
  private let state = Guarded(State())

  init(_ requests: [Request]) { self.requests = requests }

  /// Reads all, on this thread and others.
  ///
  /// - Parameter builder: this thread's; each other one has an interpreter of its own.
  func results(on threads: Int, _ builder: ScriptBuilder) -> [Result] {
    let names = Names(names: builder.names)
    let others = (1..<threads).compactMap { _ in
      SystemThread { [self] in
        guard let syntax = try? SyntaxCheck() else { return }
        read(ScriptBuilder(names: names.names, syntax: syntax))
      }
    }
    read(builder)
    for thread in others { thread.join() }
    return state.withLock { $0.results }
  }

  /// Sendable because nobody changes it.
  private struct Names: @unchecked Sendable {
    let names: KnownNames
  }

  private func read(_ builder: ScriptBuilder) {
    while let request = nextRequest() {
      guard let stamp = ScriptReader.Stamp(request.text, request.path) else { continue }
      let outcome = builder.read(request.path, request.text, request.isSpec)
      state.withLock {
        $0.results.append(Result(request: request, stamp: stamp, outcome: outcome))
      }
    }
  }

  private func nextRequest() -> Request? {
    state.withLock { state in
      guard state.next < requests.count else { return nil }
      defer { state.next += 1 }
      return requests[state.next]
    }
  }
}
