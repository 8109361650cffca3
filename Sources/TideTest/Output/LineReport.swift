import TideSystem
import TideScript

/// `--json`: one JSON object per line for each event, written immediately.
///
/// ```
/// {"event":"test","status":"failure","name":"fruit
/// ripens","file":"spec/fruit_spec.lua","line":4,…}
/// {"event":"end","successes":11,"failures":1,"errors":0,"pendings":0,"seconds":0.02}
/// ```
///
/// Further events are `start`, for each of several passes; `error`, for problems outside of tests,
/// with the test for which a hook ran; `output`, for text that a spec wrote; and `listed`, for a
/// test that is only listed.
package final class LineReport: SpecReport {
  private let writer: ReportWriter
  private var tally: Tally
  /// The problems of the running test.
  private var problems: [SpecProblem] = []

  package init(_ writer: ReportWriter, _ style: ReportStyle) {
    self.writer = writer
    tally = Tally(style)
  }

  package func take(_ event: SpecEvent) {
    guard let event = tally.take(event) else { return }
    switch event {
    case .suiteStart(let start): if start.total > 1 { tell(start) }
    case .testStart: problems = []
    case .problem(let node, let problem):
      if node.isTest || problem.status == .pending {
        problems.append(problem)
      } else {
        tell("error", node, problem, problem.trace ?? node.trace)
      }
    case .testEnd(let node, let status): tell(node, status)
    case .listed(let node): tell("listed", node, nil, node.trace)
    case .output(let bytes):
      var object = Self.object("output")
      object.add("text", String(decoding: bytes, as: UTF8.self))
      write(object)
    case .suiteEnd: tellEnd()
    default: break
    }
  }

  private func tell(_ start: SuiteStart) {
    var object = Self.object("start")
    object.add("run", start.number)
    object.add("of", start.total)
    if let seed = start.seed { object.add("seed", seed) }
    write(object)
  }

  private func tell(
    _ event: String, _ node: SpecNode, _ problem: SpecProblem?, _ trace: SpecTrace?
  ) {
    var object = Self.object(event)
    object.add("name", node.fullName)
    if let test = node.test { object.add("test", test) }
    Self.add(trace, to: &object)
    if let message = problem?.message { object.add("message", message) }
    if !node.artifacts.isEmpty { object.add("artifacts", node.artifacts) }
    Self.add(problem?.source, to: &object)
    write(object)
  }

  private func tell(_ node: SpecNode, _ status: SpecStatus) {
    var object = Self.object("test")
    object.add("status", status.rawValue)
    object.add("name", node.fullName)
    Self.add(node.trace, to: &object)
    if let duration = node.duration { object.add("seconds", duration) }
    let messages = problems.compactMap(\.message)
    if !messages.isEmpty { object.add("message", messages.joined(separator: "\n")) }
    Self.add(problems.lazy.compactMap(\.source).first, to: &object)
    if !node.failedAttempts.isEmpty {
      object.add("flaky", status == .success)
      object.add("failedAttempts", node.failedAttempts)
    }
    if !node.artifacts.isEmpty { object.add("artifacts", node.artifacts) }
    problems = []
    write(object)
  }

  private func tellEnd() {
    var object = Self.object("end")
    object.add("successes", tally.successes.count)
    object.add("failures", tally.failureCount)
    object.add("errors", tally.errors.count)
    object.add("pendings", tally.pendings.count)
    let flaky = tally.flaky.count
    if flaky > 0 { object.add("flaky", flaky) }
    object.add("seconds", tally.duration)
    write(object)
  }

  private static func object(_ event: String) -> JSONLine {
    var object = JSONLine()
    object.add("event", event)
    return object
  }

  private static func add(_ trace: SpecTrace?, to object: inout JSONLine) {
    guard let trace else { return }
    object.add("file", trace.file)
    object.add("line", trace.line)
  }

  private static func add(_ source: SourceLine?, to object: inout JSONLine) {
    guard let source else { return }
    var line = JSONLine()
    line.add("file", source.file)
    line.add("line", source.line)
    if let column = source.column { line.add("column", column) }
    line.add("text", source.text)
    object.add("source", line)
  }

  private func write(_ object: JSONLine) { writer.write(object.text + "\n") }
}
