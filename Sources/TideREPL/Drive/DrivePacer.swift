import TideSystem

/// Lets one verb run in each turn of the app's loop, so that many clients together cost no frames.
final class DrivePacer {
  private var waiting: [() -> Void] = []
  /// Whether a function runs, or has run in this turn.
  private var isBusy = false

  /// Runs a function now, or in a later turn if another runs or has run in this one.
  func run(on loop: EventLoop, _ body: @escaping () -> Void) {
    if isBusy {
      waiting.append(body)
      return
    }
    isBusy = true
    body()
    // Only now, because the function may run what is due.
    _ = loop.after(0, keepsRunning: false) { [self] in
      isBusy = false
      if !waiting.isEmpty { run(on: loop, waiting.removeFirst()) }
    }
  }
}
