import Synchronization

/// How requests ended.
final class Counts: Sendable {
  private struct State {
    var answers = 0, refused = 0, late = 0, cancelled = 0, others = 0
    var failures: [String] = []
  }

  private let state = Mutex(State())

  func add(_ response: Response) {
    state.withLock { state in
      switch response {
      case .answer: state.answers += 1
      case .refused: state.refused += 1
      case .late: state.late += 1
      case .cancelled: state.cancelled += 1
      case .closed, .unknown: state.others += 1
      case .failed(let reason):
        if state.failures.count < 10 { state.failures.append(reason) }
      }
    }
  }

  /// The first that ended as none may.
  var failures: [String] { state.withLock { $0.failures } }

  var text: String {
    state.withLock { state in
      "\(state.answers) answers, \(state.refused) refused, \(state.late) late, "
        + "\(state.cancelled) cancelled, \(state.others) others"
    }
  }
}
