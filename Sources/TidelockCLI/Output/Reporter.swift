import TideSystem
import TideBindings
import TideREPL
import TideReload
import TideScript

/// Reports events of an app on standard error, as text or, with `--json`, as objects.
struct Reporter {
  let style: DiagnosticStyle
  let isJSON: Bool
  /// The file to which errors without a location belong.
  let file: String

  func report(_ error: any Error) { write(text(of: error)) }

  /// Reports a problem that does not prevent the app from running.
  func warn(_ error: TideError) { write(text(of: Diagnostic(error, in: file, severity: .warning))) }

  /// An error as text, or as JSON.
  func text(of error: any Error) -> String {
    text(of: Diagnostic(describing: error, in: file))
  }

  private func text(of diagnostic: Diagnostic) -> String {
    isJSON ? diagnostic.json : diagnostic.text(style: style)
  }

  /// A failure of an app in another process, as text or JSON.
  func text(of failure: Message) -> String {
    isJSON ? failure.diagnosticJSON : failure.diagnosticText(style: style)
  }

  /// Relays a line printed by the process of a private session.
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

  func report(_ report: ReloadReport) { write(text(of: report)) }

  /// A reload's error and its line, as text or JSON.
  func text(of report: ReloadReport) -> String {
    let error = report.error.map { text(of: $0) + "\n" } ?? ""
    return error + line(of: report)
  }

  private func line(of report: ReloadReport) -> String {
    guard isJSON else { return report.line.escapingControlsInLines }
    var object = JSONLine()
    object.add("event", report.isReset ? "reset" : "reload")
    object.add("succeeded", report.error == nil)
    object.add("changed", report.changed)
    object.add("reloaded", report.reloaded)
    object.add("modules", report.modules)
    object.add("milliseconds", report.milliseconds)
    let orphans = report.orphans.reduce(0) { $0 + $1.count }
    if orphans > 0 { object.add("orphans", orphans) }
    return object.text
  }

  /// Reports that a reload is waiting for the answer to a question.
  func reportWaiting(_ line: String) {
    guard isJSON else { return write(line) }
    var object = JSONLine()
    object.add("event", "waiting")
    write(object.text)
  }

  /// Ignores errors: if standard error is closed, nobody can be notified.
  func write(_ text: String) { _ = StandardStreams.write(text + "\n", to: 2) }
}
