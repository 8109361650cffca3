import TideLua
import TideValues

/// Stops a test run from any thread: the running test is interrupted, no other test starts, and no
/// more events are reported.
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

  /// Interrupts running tests. An interrupt between turns is lost, so this may be called
  /// repeatedly.
  package func request() {
    state.withLock { state in
      state.isRequested = true
      for interrupter in state.interrupters.values { interrupter.interrupt() }
    }
  }

  /// Registers an interpreter to interrupt. Returns the number that removes it.
  func add(_ interrupter: LuaInterrupter) -> Int {
    state.withLock { state in
      state.next += 1
      state.interrupters[state.next] = interrupter
      return state.next
    }
  }

  func remove(_ number: Int) { state.withLock { $0.interrupters[number] = nil } }
}
