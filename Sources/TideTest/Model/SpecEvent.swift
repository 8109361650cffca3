/// An event of a run, in the order in which reports receive it.
package enum SpecEvent: Sendable {
  case suiteStart(SuiteStart)
  case suiteEnd(duration: Double)
  case fileStart(SpecNode)
  case fileEnd(SpecNode)
  case blockStart(SpecNode)
  case blockEnd(SpecNode)
  case testStart(SpecNode)
  case testEnd(SpecNode, SpecStatus)
  /// A test skipped while running, a failure, or an error, with the element in which it occurred.
  case problem(SpecNode, SpecProblem)
  /// A test that is listed but not run.
  case listed(SpecNode)
  /// Output of a spec on standard output.
  case output([UInt8])
  /// A message for the user, outside of the report.
  case notice(String)
  case exit
}

extension SpecEvent {
  /// Whether it is a start or end event, which is omitted when tests are only listed.
  var isStep: Bool {
    switch self {
    case .fileStart, .fileEnd, .blockStart, .blockEnd, .testStart, .testEnd: true
    default: false
    }
  }
}

/// The start of one pass over all files.
package struct SuiteStart: Sendable {
  /// The number of the pass, from 1.
  package var number: Int
  package var total: Int
  /// The seed for shuffling; nil without shuffling.
  package var seed: Int?
  /// The start time in seconds since 1970.
  package var time: Double
}

/// The reason why a test was skipped, failed, or could not run.
package struct SpecProblem: Sendable {
  package var status: SpecStatus
  package var message: String?
  package var trace: SpecTrace?
  /// The script line of the problem, if it can be shown.
  package var source: SourceLine?
}
