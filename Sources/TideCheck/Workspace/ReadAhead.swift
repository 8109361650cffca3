import TideScript
import TideSystem
import TideValues

/// Reads many scripts on several threads.
final class ReadAhead: Sendable {
  struct Request {
    let path: String
    /// The file's real path.
    let identity: String
    /// The text in an editor; nil for the file's content.
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

  /// Reads all scripts, on this thread and others.
  ///
  /// - Parameter builder: the builder for this thread. Every other thread has its own interpreter.
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

  // Unchecked, because the names do not change any more.
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
