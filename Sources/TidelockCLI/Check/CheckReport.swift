import TideScript

/// Tells what a check has found.
///
/// Plain text goes where errors go, to standard error, with a summary on standard output; what other
/// programs read goes to standard output.
struct CheckReport {
  let files: [ScriptCheck.File]
  let style: DiagnosticStyle

  func write(as format: CheckFormat) {
    let output = StandardOutput()
    switch format {
    case .plain:
      for finding in findings {
        _ = StandardStreams.write(finding.diagnostic.text(style: style) + "\n", to: 2)
      }
      output.writeLine(summary)
    case .json:
      for finding in findings { output.writeLine(finding.diagnostic.json) }
    case .junit:
      output.writeLine(JUnitFindings(files: files).text)
    }
  }

  private var findings: [Finding] { files.flatMap(\.findings) }

  private func count(_ severity: Finding.Severity) -> Int {
    findings.count { $0.severity == severity }
  }

  private var summary: String {
    let checked = "Checked \(Self.number(files.count, "file"))"
    if findings.isEmpty { return "\(checked): nothing found." }
    let parts = [(Finding.Severity.error, "error"), (.warning, "warning")].compactMap {
      severity, word in
      count(severity) == 0 ? nil : Self.number(count(severity), word)
    }
    return "\(checked): \(parts.joined(separator: ", "))."
  }

  private static func number(_ count: Int, _ word: String) -> String {
    "\(count) \(word)\(count == 1 ? "" : "s")"
  }
}
