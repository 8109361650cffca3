/// What happens in a run, in the order in which reports tell of it.
package enum SpecEvent: Sendable {
  case suiteStart(SuiteStart)
  case suiteEnd(duration: Double)
  case fileStart(SpecNode)
  case fileEnd(SpecNode)
  case blockStart(SpecNode)
  case blockEnd(SpecNode)
  case testStart(SpecNode)
  case testEnd(SpecNode, SpecStatus)
  /// A test that was skipped while it ran, a failure or an error; of whatever it happened in.
  case problem(SpecNode, SpecProblem)
  /// The name of a test that is listed only.
  case listed(SpecNode)
  /// What a spec wrote to standard output.
  case output([UInt8])
  /// Something to tell the person who runs the tests, beside the report.
  case notice(String)
  case exit
}

extension SpecEvent {
  /// Whether it is only a start or an end, which is left out when names alone are listed.
  var isStep: Bool {
    switch self {
    case .fileStart, .fileEnd, .blockStart, .blockEnd, .testStart, .testEnd: true
    default: false
    }
  }
}

/// How a run over all files begins.
package struct SuiteStart: Sendable {
  /// Counted from 1.
  package var number: Int
  package var total: Int
  /// By which tests are shuffled; nil where they are not.
  package var seed: Int?
  /// In seconds since 1970.
  package var time: Double
}

/// Why a test was skipped, failed, or could not be run.
package struct SpecProblem: Sendable {
  package var status: SpecStatus
  package var message: String?
  package var trace: SpecTrace?
  /// The line of the script in which it happened, where that can be shown.
  package var source: SourceLine?
}
