import TideValues

/// Stops a coroutine's run when its task is cancelled, from any thread.
///
/// A running script is interrupted only while this run's part is executing, because other
/// coroutines of the state may run in between.
package final class RunCancellation: Sendable {
  private enum Phase {
    case waiting, running, cancelled
  }

  private struct State {
    var phase = Phase.waiting
    var onCancel: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())
  private let interrupter: LuaInterrupter

  package init(_ interrupter: LuaInterrupter) { self.interrupter = interrupter }

  package func cancel() {
    let body = state.withLock { state in
      if state.phase == .running { interrupter.interrupt() }
      state.phase = .cancelled
      defer { state.onCancel = nil }
      return state.onCancel
    }
    body?()
  }

  /// Calls a function when the run is cancelled; immediately if it already is.
  package func whenCancelled(_ body: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if state.phase != .cancelled { state.onCancel = body }
      return state.phase == .cancelled
    }
    if isCancelled { body() }
  }

  /// Runs a part of the script. Returns whether the run was cancelled meanwhile; throws if it was
  /// cancelled before.
  package func whileInterruptible<Result>(_ body: () throws -> Result) throws -> (
    Result, wasCancelled: Bool
  ) {
    try state.withLock { state in
      guard state.phase != .cancelled else { throw CancellationError() }
      state.phase = .running
    }
    do {
      let result = try body()
      return (result, leave())
    } catch {
      throw leave() ? CancellationError() : error
    }
  }

  private func leave() -> Bool {
    state.withLock { state in
      if state.phase == .running { state.phase = .waiting }
      return state.phase == .cancelled
    }
  }
}
