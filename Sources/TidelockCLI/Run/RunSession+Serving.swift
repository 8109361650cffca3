import TideBindings
import TideReload
import TideRun
import TideScript
import TideSystem
import TideViews

extension RunSession {
  /// Runs the app in browsers, until it or a signal ends it.
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

  /// Serves an app of which each viewer has one of its own, until a signal ends it.
  ///
  /// - Parameter runtime: shows nothing; it has the loop.
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

  /// Says which kind of sessions a served app has, what its sessions have in common, and which
  /// option selects the other kind.
  static func kind(ofSessionsArePrivate isPrivate: Bool) -> String {
    isPrivate
      ? "An app for each person or browser, in all of their pages; they have in common the models "
        + "that are declared by shared. One screen for all: --sessions shared"
      : "One screen for all: models, tabs, selections, filters and open panes are common; focus, "
        + "scrolling and typing are each person's own. An app for each: --sessions private"
  }

  /// Makes a browser wait for the app, which cannot start one when it is confined.
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

  /// Has pages follow errors and reloads.
  func follow(_ runtime: Runtime, _ reloader: Reloader, _ display: any PageDisplay) {
    runtime.onError = { [reporter] error in
      reporter.report(error)
      display.errorsChanged()
    }
    runtime.onRecovery = { display.errorsChanged() }
    // What the script's body has listed.
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

  /// Tells pages of a reload.
  func tell(_ report: ReloadReport, _ display: any PageDisplay) {
    display.report(report.line)
    if let error = report.error { show(error, display) } else { display.showFailure(nil) }
  }

  func show(_ failure: TideError, _ display: any PageDisplay) {
    display.showFailure(Diagnostic(failure, in: file).lines().joined(separator: "\n"))
  }
}

extension TideError.Code {
  /// A browser was to be opened, and cannot be.
  static let browser = Self("browser", 434)
}
