import TideTest

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One run of specs with its report.
struct TestPass {
  let options: TestOptions

  init(_ options: TestOptions) { self.options = options }

  /// Runs, and says whether all went well.
  func run() throws -> Bool {
    let output = StandardOutput()
    let writer = ReportWriter { output.write($0) }
    let report = try SpecReports.make(options, writer, isTerminal: isatty(1) != 0) {
      TestCommand.complain($0)
    }
    let run = SuiteRun(options, reporting: report.report)
    let isGood = try run.run()
    for notice in run.notices { TestCommand.tell(notice) }
    if options.hasSound { Announcement.say(isGood: isGood) }
    let isCovered = try show(run.coverageReport())
    return isGood && isCovered && report.isGood() && !output.hasFailed
  }

  private func show(_ coverage: CoverageReport?) throws -> Bool {
    guard let coverage else { return true }
    Self.tell(coverage.table, options)
    guard let problem = coverage.write() else { return true }
    TestCommand.complain(problem)
    return false
  }

  /// Prints for people, where it does not disturb a report for programs.
  static func tell(_ text: String, _ options: TestOptions) {
    let isForPeople = [nil, "utfTerminal", "plainTerminal"].contains(options.output)
    _ = StandardStreams.write(text, to: isForPeople ? 1 : 2)
  }
}
