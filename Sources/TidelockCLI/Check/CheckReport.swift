import TideCheck
import TideScript

/// Reports the results of a check.
///
/// In plain text, problems go to standard error and a summary to standard output. Machine-readable
/// formats go to standard output.
struct CheckReport {
  let files: [ScriptCheck.File]
  let style: DiagnosticStyle

  func write(as format: CheckFormat) {
    let output = StandardOutput()
    switch format {
    case .plain:
      for problem in problems {
        _ = StandardStreams.write(problem.diagnostic.text(style: style) + "\n", to: 2)
      }
      output.writeLine(summary)
    case .json:
      for problem in problems { output.writeLine(problem.diagnostic.json) }
    case .junit:
      output.writeLine(JUnitProblems(files: files).text)
    }
  }

  /// The exit code for the problems found.
  var status: ExitStatus {
    let severities = problems.map(\.severity)
    if severities.contains(.error) { return ExitStatus(2) }
    return severities.isEmpty ? .success : ExitStatus(1)
  }

  private var problems: [Problem] { files.flatMap(\.problems) }

  private func count(_ severity: Diagnostic.Severity) -> Int {
    problems.count { $0.severity == severity }
  }

  private var summary: String {
    let checked = "Checked \(Self.number(files.count, "file"))"
    if problems.isEmpty { return "\(checked): nothing found." }
    let parts = [(Diagnostic.Severity.error, "error"), (.warning, "warning")].compactMap {
      severity, word in
      count(severity) == 0 ? nil : Self.number(count(severity), word)
    }
    return "\(checked): \(parts.joined(separator: ", "))."
  }

  private static func number(_ count: Int, _ word: String) -> String {
    "\(count) \(word)\(count == 1 ? "" : "s")"
  }
}
