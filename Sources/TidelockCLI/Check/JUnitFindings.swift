import TideScript

/// What a check has found, in the XML that continuous integration reads as results of tests.
///
/// A file is a suite and a finding a test case that fails; a file without findings is one case that
/// passes. A case with several failures would be allowed, but Jenkins, Azure and others show the
/// first of them alone.
struct JUnitFindings {
  let files: [ScriptCheck.File]

  var lines: [String] {
    let cases = files.reduce(0) { $0 + max(1, $1.findings.count) }
    let failures = files.reduce(0) { $0 + $1.findings.count }
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
    lines.append(
      "<testsuites name=\"tidelock check\" tests=\"\(cases)\" failures=\"\(failures)\" errors=\"0\">"
    )
    for file in files { lines += suite(of: file) }
    lines.append("</testsuites>")
    return lines
  }

  private func suite(of file: ScriptCheck.File) -> [String] {
    let path = Self.escaped(file.path)
    let count = file.findings.count
    let head = "  <testsuite name=\"\(path)\" tests=\"\(max(1, count))\" failures=\"\(count)\""
    var lines = [head + " errors=\"0\">"]
    if file.findings.isEmpty {
      lines.append("    <testcase classname=\"\(path)\" name=\"check\" file=\"\(path)\"/>")
    }
    for finding in file.findings {
      let diagnostic = finding.diagnostic
      let place = "\(diagnostic.line ?? 1):\(diagnostic.column ?? 1)"
      let message = Self.escaped(diagnostic.message)
      lines.append(
        "    <testcase classname=\"\(path)\" name=\"\(place) \(message)\" file=\"\(path)\""
          + " line=\"\(diagnostic.line ?? 1)\">")
      lines.append(
        "      <failure type=\"\(diagnostic.label)\" message=\"\(message)\">"
          + Self.escaped(diagnostic.text()) + "</failure>")
      lines.append("    </testcase>")
    }
    lines.append("  </testsuite>")
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
