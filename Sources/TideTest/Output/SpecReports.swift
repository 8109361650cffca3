#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Makes reports by their names.
package enum SpecReports {
  package static let names = ["utfTerminal", "plainTerminal", "TAP"]

  /// A report, and whether it came out whole, asked at the end.
  package struct Made {
    package let report: any SpecReport
    package let isGood: () -> Bool
  }

  /// The report that was asked for, else the one for where it is written.
  ///
  /// - Parameter complain: told of what could not be done as asked, and was done otherwise.
  package static func make(
    _ options: TestOptions, _ writer: ReportWriter, isTerminal: Bool,
    _ complain: @escaping (String) -> Void
  ) throws -> Made {
    let usual = isTerminal ? "utfTerminal" : "plainTerminal"
    let name = options.output ?? usual
    let style = ReportStyle(options, hasColors: hasColors(options, isTerminal))
    let words = ReportWords()
    switch name {
    case "utfTerminal": return whole(TerminalReport(writer, .utf, style, words))
    case "plainTerminal":
      var plain = style
      plain.hasColors = false
      return whole(TerminalReport(writer, .plain, plain, words))
    case "TAP": return whole(TAPReport(writer, style))
    default:
      complain("Cannot load output library: \(name)")
      return Made(report: TerminalReport(writer, .plain, style, words)) { false }
    }
  }

  private static func whole(_ report: any SpecReport) -> Made { Made(report: report) { true } }

  private static func hasColors(_ options: TestOptions, _ isTerminal: Bool) -> Bool {
    if options.outputArguments.contains("--plain") { return false }
    if options.outputArguments.contains("--color") { return true }
    return isTerminal && getenv("NO_COLOR").map { String(cString: $0) } ?? "" == ""
  }
}
