import TideValues

/// Stops a coroutine's run when its task is cancelled, from whatever thread does that.
///
/// A script that is running is interrupted, but only while it is this run's: other coroutines of
/// the state may run between its stretches.
final class RunCancellation: Sendable {
  private enum Phase {
    case waiting, running, cancelled
  }

  private let phase = Guarded(Phase.waiting)
  private let interrupter: LuaInterrupter

  init(_ interrupter: LuaInterrupter) { self.interrupter = interrupter }

  func cancel() {
    phase.withLock { phase in
      if phase == .running { interrupter.interrupt() }
      phase = .cancelled
    }
  }

  /// Runs a stretch of the script, and says whether the run was cancelled meanwhile. Throws when it
  /// was before.
  func whileInterruptible<Result>(_ body: () throws -> Result) throws -> (
    Result, wasCancelled: Bool
  ) {
    try phase.withLock { phase in
      guard phase != .cancelled else { throw CancellationError() }
      phase = .running
    }
    do {
      let result = try body()
      return (result, leave())
    } catch {
      throw leave() ? CancellationError() : error
    }
  }

  private func leave() -> Bool {
    phase.withLock { phase in
      if phase == .running { phase = .waiting }
      return phase == .cancelled
    }
  }
}
