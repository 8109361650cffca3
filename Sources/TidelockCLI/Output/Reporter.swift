import TideSystem
import TideBindings
import TideREPL
import TideReload
import TideScript

/// Tells people, or with `--json` programs, on standard error what happens to an app.
struct Reporter {
  let style: DiagnosticStyle
  let isJSON: Bool
  /// What errors without a location are about.
  let file: String

  func report(_ error: any Error) { write(text(of: error)) }

  /// Tells of what does not keep the app from running.
  func warn(_ error: TideError) { write(text(of: Diagnostic(error, in: file, severity: .warning))) }

  /// An error for people or programs.
  func text(of error: any Error) -> String {
    text(of: Diagnostic(describing: error, in: file))
  }

  private func text(of diagnostic: Diagnostic) -> String {
    isJSON ? diagnostic.json : diagnostic.text(style: style)
  }

  /// The same for what an app says that runs elsewhere.
  func text(of failure: Message) -> String {
    isJSON ? failure.diagnosticJSON : failure.diagnosticText(style: style)
  }

  /// Passes on a line that the process of a private session has printed.
  func relay(_ line: String, ofSession session: Int) {
    guard isJSON else {
      return write("session \(session): \(line.escapingControlsInLines)")
    }
    var object = JSONLine()
    object.add("event", "output")
    object.add("session", session)
    object.add("text", line)
    write(object.text)
  }

  func report(_ report: ReloadReport) {
    if let error = report.error { self.report(error) }
    guard isJSON else { return write(report.line.escapingControlsInLines) }
    var object = JSONLine()
    object.add("event", report.isReset ? "reset" : "reload")
    object.add("succeeded", report.error == nil)
    object.add("changed", report.changed)
    object.add("reloaded", report.reloaded)
    object.add("modules", report.modules)
    object.add("milliseconds", report.milliseconds)
    write(object.text)
  }

  /// Tells that a save waits for the answer to a question.
  func reportWaiting(_ line: String) {
    guard isJSON else { return write(line) }
    var object = JSONLine()
    object.add("event", "waiting")
    write(object.text)
  }

  /// Where standard error is closed too there is nobody left to tell.
  func write(_ text: String) { _ = StandardStreams.write(text + "\n", to: 2) }
}
