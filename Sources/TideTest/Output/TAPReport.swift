import TideSystem

/// `TAP`: the Test Anything Protocol, one line per test.
package final class TAPReport: SpecReport {
  private let writer: ReportWriter
  private let style: ReportStyle
  private var tally: Tally
  private var count = 0

  package init(_ writer: ReportWriter, _ style: ReportStyle) {
    self.writer = writer
    self.style = style
    tally = Tally(style)
  }

  package func take(_ event: SpecEvent) {
    guard let event = tally.take(event.escapingControls) else { return }
    switch event {
    case .suiteStart(let start): if start.number > 1 { count = 0 }
    case .suiteEnd:
      line("1..\(count)")
      let flaky = tally.flaky.count
      if flaky > 0 { line("# flaky: \(flaky)") }
    case .testStart(let node):
      if style.isVerbose, let trace = node.trace {
        line("# \(trace.file) @ \(trace.line): \(node.fullName)")
      }
    case .testEnd(let node, let status): end(node, status)
    case .problem(let node, let problem):
      guard problem.status == .error, !node.isTest, let entry = tally.errors.last else { return }
      count += 1
      show(entry)
    case .listed(let node): line(node.listing)
    case .output(let bytes): writer.pass(bytes)
    default: break
    }
  }

  private func line(_ text: String) { writer.write(text + "\n") }

  private func end(_ node: SpecNode, _ status: SpecStatus) {
    count += 1
    switch status {
    case .success:
      line("ok \(count) - \(node.fullName)")
      if let attempts = node.attempts {
        let messages = node.failedAttempts.joined(separator: "\n")
        line("# flaky: \(attempts); before: \(Self.continued(messages))")
      }
    case .pending:
      let reason = tally.pendings.last?.message ?? node.fullName
      line("ok \(count) - # SKIP \(Self.continued(reason))")
    case .failure: if let entry = tally.failures.last { show(entry) }
    case .error: if let entry = tally.errors.last { show(entry) }
    }
  }

  private func show(_ entry: Tally.Entry) {
    line("not ok \(count) - \(entry.node.fullName)")
    if let trace = entry.origin { line("# \(trace.file) @ \(trace.line)") }
    if let seed = entry.node.seed { line("# Random seed: \(seed)") }
    line("# Failure message: \(Self.continued(entry.message ?? "Nil error"))")
    if let attempts = entry.node.attempts { line("# \(attempts)") }
    for path in entry.node.artifacts { line("# artifact: \(path)") }
    if style.isVerbose, let traceback = entry.trace?.traceback {
      let text = traceback.hasPrefix("\n") ? String(traceback.dropFirst()) : traceback
      line("# \(Self.continued(text))")
    }
  }

  private static func continued(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n# ")
  }
}
