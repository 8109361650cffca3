import TideSystem

/// `junit`: XML for build servers, written at the end to standard output or a file.
package final class JUnitReport: SpecReport {
  private struct Counts {
    var tests = 0, errors = 0, failures = 0, skip = 0, flakes = 0

    func set(in element: inout XMLElement) {
      element.set("tests", "\(tests)")
      element.set("errors", "\(errors)")
      element.set("failures", "\(failures)")
      element.set("skip", "\(skip)")
      if flakes > 0 { element.set("flakes", "\(flakes)") }
    }

    mutating func add(_ other: Counts) {
      tests += other.tests
      errors += other.errors
      failures += other.failures
      skip += other.skip
      flakes += other.flakes
    }
  }

  private let writer: ReportWriter
  private let write: (String) -> Void
  private var tally: Tally
  private var all = XMLElement("testsuites")
  private var allCounts = Counts()
  private var duration = 0.0
  private var suite: XMLElement?
  private var counts = Counts()
  private var test: XMLElement?

  /// - Parameter write: receives the XML; output of specs goes to the writer.
  package init(
    _ writer: ReportWriter, _ style: ReportStyle, write: @escaping (String) -> Void
  ) {
    self.writer = writer
    self.write = write
    tally = Tally(style)
  }

  package func take(_ event: SpecEvent) {
    guard let event = tally.take(event) else { return }
    switch event {
    case .suiteStart(let start): begin(start)
    case .suiteEnd(let seconds): end(seconds)
    case .testStart(let node): begin(node)
    case .testEnd(let node, let status): end(node, status)
    case .problem(let node, let problem): take(problem, in: node)
    case .listed(let node): writer.write(node.listing + "\n")
    case .output(let bytes): writer.pass(bytes)
    case .exit: finish()
    default: break
    }
  }

  private func begin(_ start: SuiteStart) {
    counts = Counts()
    var element = XMLElement("testsuite")
    element.set("name", "Run \(start.number) of \(start.total)")
    counts.set(in: &element)
    element.set("timestamp", Self.timestamp(start.time))
    suite = element
  }

  private func end(_ seconds: Double) {
    guard var element = suite else { return }
    counts.set(in: &element)
    element.set("time", seconds.fixed(2))
    duration += seconds
    all.add(element)
    allCounts.add(counts)
    suite = nil
  }

  private func finish() {
    allCounts.add(suite == nil ? Counts() : counts)
    allCounts.set(in: &all)
    all.set("time", duration.fixed(2))
    write(all.text() + "\n")
  }

  private func begin(_ node: SpecNode) {
    var element = XMLElement("testcase")
    if let trace = node.trace { element.set("classname", "\(trace.file):\(trace.line)") }
    element.set("name", node.fullName)
    test = element
  }

  private func end(_ node: SpecNode, _ status: SpecStatus) {
    guard var element = test else { return }
    counts.tests += 1
    element.set("time", (node.duration ?? 0).fixed(2))
    // The element names of Maven's Surefire.
    for message in node.failedAttempts {
      var attempt = XMLElement(status == .success ? "flakyFailure" : "rerunFailure")
      attempt.add(message)
      element.add(attempt)
    }
    if status == .success, !node.failedAttempts.isEmpty { counts.flakes += 1 }
    if !node.artifacts.isEmpty {
      var output = XMLElement("system-out")
      output.add(Self.attachments(node))
      element.add(output)
    }
    if status == .pending {
      counts.skip += 1
      var skipped = XMLElement("skipped")
      if let seed = node.seed { skipped.add("Random seed: \(seed)\n") }
      if let entry = tally.pendings.last, let message = entry.message {
        skipped.add(message)
        if let traceback = entry.trace?.traceback { skipped.add(traceback) }
      }
      element.add(skipped)
    }
    suite?.add(element)
    test = nil
  }

  private func take(_ problem: SpecProblem, in node: SpecNode) {
    if problem.status == .pending { return }
    let isFailure = problem.status == .failure && node.isTest
    var element = XMLElement(isFailure ? "failure" : "error")
    if node.isTest, let seed = node.seed { element.add("Random seed: \(seed)\n") }
    if let message = problem.message { element.add(message) }
    if let traceback = problem.trace?.traceback { element.add(traceback) }
    if !node.isTest, !node.artifacts.isEmpty { element.add("\n" + Self.attachments(node)) }
    if suite == nil {
      allCounts.errors += 1
      all.add(element)
    } else if node.isTest, test != nil {
      if isFailure { counts.failures += 1 } else { counts.errors += 1 }
      test?.add(element)
    } else {
      counts.errors += 1
      suite?.add(element)
    }
  }

  /// The lines that build servers turn into links.
  private static func attachments(_ node: SpecNode) -> String {
    node.artifacts.map { "[[ATTACHMENT|\(SystemPath.absolute($0))]]\n" }.joined()
  }

  private static func timestamp(_ seconds: Double) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
      + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
  }
}
