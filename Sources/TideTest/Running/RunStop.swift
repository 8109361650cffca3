import TideLua
import TideValues

/// Ends a run of specs before its end, from any thread: the test that runs is interrupted, no other
/// begins, and nothing more is reported.
///
/// ```swift
/// let stop = RunStop()
/// options.stop = stop
/// …                // on another thread: SuiteRun(options, reporting: report).run()
/// stop.request()
/// ```
package final class RunStop: Sendable {
  private struct State {
    var isRequested = false
    var interrupters: [Int: LuaInterrupter] = [:]
    var next = 0
  }

  private let state = Guarded(State())

  package init() {}

  package var isRequested: Bool { state.withLock { $0.isRequested } }

  /// Stops what runs. An interruption is lost on a turn that has not begun, so this may be called again.
  package func request() {
    state.withLock { state in
      state.isRequested = true
      for interrupter in state.interrupters.values { interrupter.interrupt() }
    }
  }

  /// Adds an interpreter to those that are stopped; gives the number by which it is removed.
  func add(_ interrupter: LuaInterrupter) -> Int {
    state.withLock { state in
      state.next += 1
      state.interrupters[state.next] = interrupter
      return state.next
    }
  }

  func remove(_ number: Int) { state.withLock { $0.interrupters[number] = nil } }
}
