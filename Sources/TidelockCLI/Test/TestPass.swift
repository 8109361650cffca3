import TideSystem
import TideTest

/// One run of specs with its report.
struct TestPass {
  let options: TestOptions
  private let teller: TestMessages

  init(_ options: TestOptions) {
    self.options = options
    teller = TestMessages(options)
  }

  /// Runs, and says whether all went well.
  func run() throws -> Bool {
    let output = StandardOutput()
    let writer = ReportWriter { output.write($0) }
    let report = try SpecReports.make(options, writer, isTerminal: isatty(1) != 0) {
      teller.complain($0)
    }
    let run = SuiteRun(options, reporting: report.report)
    let isGood = try run.run()
    for notice in run.notices { teller.notice(notice) }
    if options.hasSound { Announcement.say(isGood: isGood) }
    let isCovered = try show(run.coverageReport())
    return isGood && isCovered && report.isGood() && !output.hasFailed
  }

  private func show(_ coverage: CoverageReport?) throws -> Bool {
    guard let coverage else { return true }
    teller.show(coverage)
    guard let problem = coverage.write() else { return true }
    teller.complain(problem)
    return false
  }
}
