import TideBindings
import TideReload
import TideRun
import TideScript
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
    try loop.run()
  }

  /// Has pages follow errors and reloads.
  private func follow(_ runtime: Runtime, _ reloader: Reloader, _ display: any PageDisplay) {
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
    reloader.onNotice = { [reporter] in reporter.report($0) }
  }

  /// Tells pages of a reload.
  func tell(_ report: ReloadReport, _ display: any PageDisplay) {
    display.report(report.line)
    if let error = report.error { show(error, display) } else { display.showFailure(nil) }
  }

  private func show(_ failure: TideError, _ display: any PageDisplay) {
    display.showFailure(Diagnostic(failure, in: file).lines().joined(separator: "\n"))
  }
}
