import TideBindings
import TideReload
import TideScript

/// Tells people, or with `--json` programs, on standard error what happens to an app.
struct Reporter {
  let style: DiagnosticStyle
  let isJSON: Bool
  /// What errors without a place are about.
  let file: String

  func report(_ error: any Error) {
    let diagnostic = Diagnostic(describing: error, in: file)
    write(isJSON ? diagnostic.json : diagnostic.text(style: style))
  }

  func report(_ report: ReloadReport) {
    if let error = report.error { self.report(error) }
    guard isJSON else { return write(report.line) }
    var object = JSONLine()
    object.add("event", report.isReset ? "reset" : "reload")
    object.add("succeeded", report.error == nil)
    object.add("changed", report.changed)
    object.add("reloaded", report.reloaded)
    object.add("modules", report.modules)
    object.add("milliseconds", report.milliseconds)
    write(object.text)
  }

  /// Where standard error is closed too there is nobody left to tell.
  private func write(_ text: String) { _ = StandardStreams.write(text + "\n", to: 2) }
}
