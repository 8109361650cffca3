import TideReload
import TideTerminal
import Tidelock

extension Dashboard {
  /// Runs the dashboard in the terminal until somebody ends it; a saved script shows at once.
  ///
  /// Gives the exit code.
  @MainActor
  func run(in terminal: TerminalRenderer) async throws -> Int32 {
    let reloader = Reloader(runtime)
    reloader.onReport = { report in
      terminal.overlay = report.error.map { [Self.location($0), $0.message] }
      // What the new version gets wrong is told anew.
      if report.error == nil { terminal.status = nil }
    }
    runtime.onError = { error in
      terminal.status = StatusLine(
        "\(Self.location(error)): \(error.message)", kind: .bad, hint: "F12 log")
    }
    terminal.onUnhandled = { [unowned self] event in
      guard case .key(let key) = event else { return }
      switch key.description {
      case "Ctrl-C": runtime.exit(0)
      case "r": reloader.reload()
      case "R": reloader.reset()
      default: terminal.overlay = nil
      }
    }
    terminal.onEnding = { [unowned self] ending in
      switch ending {
      case .signal(let number): runtime.exit(128 + number)
      case .closed, .failed: runtime.exit(1)
      }
    }
    reloader.start()
    defer { reloader.stop() }
    return try await runtime.run(terminal)
  }

  private static func location(_ error: TideError) -> String {
    error.location.map { "\($0)" } ?? error.code.name
  }
}
