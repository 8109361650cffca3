import TideBindings
import TideReload
import TideRun
import TideScript
import TideSystem
import TideViews

extension RunSession {
  /// Runs the app in browsers until the app or a signal ends it.
  func runServed(
    _ runtime: Runtime, _ reloader: Reloader, _ failure: TideError?, _ display: any PageDisplay
  ) throws {
    let loop = AppLoop(runtime, display.pages)
    defer { loop.close() }
    loop.onAsking = { [unowned self] in if !$0 { forgetEnding() } }
    follow(runtime, reloader, display)
    bound(runtime) { [unowned self, unowned runtime] in finish(runtime) }
    if let failure {
      reporter.report(failure)
      show(failure, display)
    }
    if runtime.exitCode == nil { try loop.catchUp() }
    for key in options.start.keys?.keys ?? [] where runtime.exitCode == nil {
      try loop.send(.key(key))
    }
    try loop.run()
  }

  /// Serves an app with a separate instance for each viewer, until a signal ends it.
  ///
  /// - Parameter runtime: provides the event loop; it shows nothing.
  func runPrivately(_ runtime: Runtime) throws {
    do { _ = try ScriptFile.read(file) } catch {
      reporter.report(error)
      ending = ExitStatus(loading: error)
      return
    }
    let loop = AppLoop(runtime)
    loop.keepsRunning = { true }
    defer { loop.close() }
    bound(runtime) { [unowned self, unowned runtime] in finish(runtime) }
    try loop.run()
  }

  /// Describes the kind of sessions of a served app, what they share, and the option for the other
  /// kind.
  static func kind(ofSessionsArePrivate isPrivate: Bool) -> String {
    isPrivate
      ? "An app for each person or browser, in all of their pages; they have in common the models "
        + "that are declared by shared. One screen for all: --sessions shared"
      : "One screen for all: models, tabs, selections, filters and open panes are common; focus, "
        + "scrolling and typing are each person's own. An app for each: --sessions private"
  }

  /// Starts a browser command that waits for the address, because a confined process cannot start
  /// one.
  func startBrowser() -> WaitingProgram? {
    guard opensBrowser else { return nil }
    let named = getenv("BROWSER").map { String(cString: $0) } ?? ""
    do {
      return try WaitingProgram(shell: named.isEmpty ? "xdg-open \"$1\"" : "\(named) \"$1\"")
    } catch {
      reporter.report(TideError(.browser, "no browser can be opened: \(error.message)"))
      return nil
    }
  }

  /// Reports errors and reloads to pages.
  func follow(_ runtime: Runtime, _ reloader: Reloader, _ display: any PageDisplay) {
    runtime.onError = { [reporter] error in
      reporter.report(error)
      display.errorsChanged()
    }
    runtime.onRecovery = { display.errorsChanged() }
    // Includes errors listed while the script was loaded.
    display.errorsChanged()
    reloader.onReport = { [unowned self] report in
      self.report(report)
      tell(report, display)
    }
    reloader.onWaiting = { [unowned self] isWaiting in
      guard isWaiting else { return }
      let line = reportWaiting()
      reporter.reportWaiting(line)
      display.report(line)
    }
    reloader.onNotice = { [reporter] in reporter.report($0) }
  }

  /// Reports a reload to pages.
  func tell(_ report: ReloadReport, _ display: any PageDisplay) {
    display.report(report.line)
    if let error = report.error { show(error, display) } else { display.showFailure(nil) }
  }

  func show(_ failure: TideError, _ display: any PageDisplay) {
    display.showFailure(Diagnostic(failure, in: file).lines().joined(separator: "\n"))
  }
}

extension TideError.Code {
  /// A browser was requested but cannot be opened.
  static let browser = Self("browser", 434)
}
