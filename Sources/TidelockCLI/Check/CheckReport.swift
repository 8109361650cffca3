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
      for line in junit { output.writeLine(line) }
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

  // MARK: JUnit

  /// A test case for each file, which fails with each of its findings.
  private var junit: [String] {
    let failing = files.count { !$0.findings.isEmpty }
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
    lines.append(
      "<testsuite name=\"tidelock check\" tests=\"\(files.count)\" failures=\"\(failing)\" errors=\"0\">"
    )
    for file in files {
      let name = Self.escaped(file.path)
      if file.findings.isEmpty {
        lines.append("  <testcase classname=\"check\" name=\"\(name)\"/>")
        continue
      }
      lines.append("  <testcase classname=\"check\" name=\"\(name)\">")
      // JUnit's schema has one failure in a case.
      let diagnostics = file.findings.map(\.diagnostic)
      let first = diagnostics.first
      let text = diagnostics.map { $0.text() }.joined(separator: "\n")
      lines.append(
        "    <failure type=\"\(first?.label ?? "")\" message=\"\(Self.escaped(first?.message ?? ""))\">"
          + Self.escaped(text) + "</failure>")
      lines.append("  </testcase>")
    }
    lines.append("</testsuite>")
    return lines
  }

  /// Text as XML has it; what XML cannot have is replaced.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      case "\t": result += "&#9;"
      default:
        let isAllowed = scalar.value >= 0x20 && scalar.value != 0xfffe && scalar.value != 0xffff
        result.unicodeScalars.append(isAllowed ? scalar : "\u{fffd}")
      }
    }
    return result
  }
}
