import Dispatch
import Glibc
import Synchronization

/// The waits that are under way, and how far they outlast their deadlines.
final class Waits: Sendable {
  private struct State {
    var deadlines: [Int: ContinuousClock.Instant] = [:]
    var last = 0
    var longest = Duration.zero
  }

  /// How much longer than its deadline a wait may take on a busy machine.
  static let slack = Duration.seconds(2)

  private let state = Mutex(State())

  /// How much longer than its deadline one has taken at most.
  var longest: Duration { state.withLock { $0.longest } }

  /// Waits for something that is to end within a time.
  func measure<Result>(_ limit: Duration, _ body: () async -> Result) async -> Result {
    let deadline = ContinuousClock.now + limit
    let number = state.withLock { state in
      state.last += 1
      state.deadlines[state.last] = deadline
      return state.last
    }
    let result = await body()
    let over = ContinuousClock.now - deadline
    state.withLock { state in
      state.deadlines[number] = nil
      state.longest = max(state.longest, over)
    }
    return result
  }

  /// Ends the program where a wait does not end, be the concurrency pool stuck itself.
  func watch() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "waits"))
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler { [self] in
      let late = state.withLock { state in
        state.deadlines.values.count(where: { $0 + Self.slack < ContinuousClock.now })
      }
      guard late > 0 else { return }
      print("FAILED \(late) waits outlast their deadlines by more than \(Self.slack)")
      exit(1)
    }
    timer.resume()
    return timer
  }
}
