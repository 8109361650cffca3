/// Collects the results of a run for a host.
final class SummaryReport: SpecReport {
  private let onResult: (SpecResult) -> Void
  private let text = Text()
  private let terminal: TerminalReport
  private var results: [SpecResult] = []
  private var errors: [SpecResult] = []
  /// The first problems of running tests, by node identifier.
  private var problems: [Int: SpecProblem] = [:]
  private var duration = 0.0

  private final class Text {
    var bytes: [UInt8] = []
  }

  init(_ onResult: @escaping (SpecResult) -> Void) {
    self.onResult = onResult
    terminal = TerminalReport(
      ReportWriter { [text] in text.bytes += $0 }, .plain, ReportStyle(), ReportWords())
  }

  func take(_ event: SpecEvent) {
    terminal.take(event)
    switch event {
    case .testEnd(let node, let status):
      let problem = problems.removeValue(forKey: node.id)
      let result = SpecResult(node, status, problem)
      results.append(result)
      onResult(result)
    case .problem(let node, let problem):
      if node.isTest || node.descriptor == "pending" {
        // The first problem counts.
        if problems[node.id] == nil { problems[node.id] = problem }
      } else if problem.status != .pending {
        errors.append(SpecResult(node, .error, problem))
      }
    case .suiteEnd(let seconds): duration += seconds
    default: break
    }
  }

  func summary(isGood: Bool, notices: [String]) -> SpecSummary {
    SpecSummary(
      isGood: isGood, results: results, errors: errors, notices: notices,
      duration: .seconds(duration), description: String(decoding: text.bytes, as: UTF8.self))
  }
}

extension SpecResult {
  fileprivate init(_ node: SpecNode, _ status: SpecStatus, _ problem: SpecProblem?) {
    let trace = node.trace ?? problem?.trace
    let isFile = node.descriptor == "file"
    self.init(
      name: node.fullName, file: isFile ? node.fullName : trace?.path ?? "",
      line: isFile ? nil : trace?.line, status: status, message: problem?.message,
      duration: .seconds(node.duration ?? 0))
  }
}
