import TideSystem
import TideTest

/// One test run with its report.
struct TestPass: Sendable {
  let options: TestOptions
  let output: ReportOutput
  let failures: LastFailures?

  /// Runs the tests. Returns whether everything succeeded.
  func run() throws -> Bool {
    let teller = TestMessages(options, output)
    let stream = StandardOutput(output.descriptor)
    var options = options
    if let failures { options.lastFailed = failures.tests }
    let report = try SpecReports.make(
      options, output.writer(stream), isTerminal: output.isTerminal
    ) {
      teller.complain($0)
    }
    let run = SuiteRun(options, reporting: report.report)
    let isGood = try run.run()
    if !options.listsOnly { failures?.save(run.failedTests) }
    if options.stop?.isRequested == true { return false }
    for notice in run.notices { teller.notice(notice) }
    teller.show(slowest: run.slowestTests)
    if options.hasSound { Announcement.say(isGood: isGood) }
    let isCovered = try show(run.coverageReport(), teller)
    return isGood && isCovered && report.isGood() && !stream.hasFailed
  }

  private func show(_ coverage: CoverageReport?, _ teller: TestMessages) throws -> Bool {
    guard let coverage else { return true }
    teller.show(coverage)
    let problems = [coverage.write(), coverage.shortfall].compactMap(\.self)
    for problem in problems { teller.complain(problem) }
    return problems.isEmpty
  }
}
