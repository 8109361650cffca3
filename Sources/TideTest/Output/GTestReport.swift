import TideSystem

/// `gtest`: the output format of Google's test library.
package final class GTestReport: SpecReport {
  private let writer: ReportWriter
  private let style: ReportStyle
  private let colors: Palette
  private var tally: Tally
  private var counts = Counts()

  private struct Counts {
    var files = 0, fileTests = 0, tests = 0
    var successes = 0, skipped = 0, failures = 0, errors = 0
  }

  package init(_ writer: ReportWriter, _ style: ReportStyle) {
    self.writer = writer
    self.style = style
    colors = Palette(isOn: style.hasColors)
    tally = Tally(style)
  }

  package func take(_ event: SpecEvent) {
    guard let event = tally.take(event.escapingControls) else { return }
    switch event {
    case .suiteStart(let start): begin(start)
    case .suiteEnd(let seconds): end(seconds)
    case .fileStart(let node):
      counts.fileTests = 0
      line("[----------]", "Running tests from \(node.fileName)")
    case .fileEnd(let node): end(file: node)
    case .testStart(let node): line("[ RUN      ]", title(node))
    case .testEnd(let node, let status): end(node, status)
    case .problem(let node, let problem): take(problem, in: node)
    case .listed(let node): writer.write(node.listing + "\n")
    case .output(let bytes): writer.pass(bytes)
    default: break
    }
  }

  // MARK: Progress

  private func line(_ mark: String, _ text: String) {
    writer.write("\(colors.green(mark)) \(text)\n")
  }

  private func begin(_ start: SuiteStart) {
    if start.number > 1 { counts = Counts() }
    if start.total > 1 {
      writer.write("\nRepeating all tests (run \(start.number) of \(start.total)) . . .\n\n")
    }
    if let seed = start.seed {
      writer.write(colors.yellow("Note: Randomizing test order with a seed of \(seed).\n"))
    }
    line("[==========]", "Running tests from scanned files.")
    line("[----------]", "Global test environment setup.")
  }

  private func end(file node: SpecNode) {
    counts.files += 1
    let tests = Self.count(counts.fileTests, "test")
    let time = Self.milliseconds(node.duration)
    line("[----------]", "\(tests) from \(node.fileName) (\(time) ms total)\n")
  }

  private func end(_ node: SpecNode, _ status: SpecStatus) {
    counts.fileTests += 1
    counts.tests += 1
    switch status {
    case .success: counts.successes += 1
    case .pending: counts.skipped += 1
    case .failure: counts.failures += 1
    case .error: counts.errors += 1
    }
    let attempts = node.attempts.map { ", \($0)" } ?? ""
    writer.write(
      "\(mark(status)) \(title(node)) (\(Self.milliseconds(node.duration)) ms\(attempts))\n")
  }

  private func mark(_ status: SpecStatus) -> String {
    switch status {
    case .success: colors.green("[       OK ]")
    case .pending: colors.yellow("[ SKIPPED  ]")
    case .failure: colors.red("[  FAILED  ]")
    case .error: colors.magenta("[  ERROR   ]")
    }
  }

  private func take(_ problem: SpecProblem, in node: SpecNode) {
    if problem.status == .pending { return }
    let entry = problem.status == .failure ? tally.failures.last : tally.errors.last
    if !style.defersPrint, let entry { writer.write(description(entry)) }
    if !node.isTest { counts.errors += 1 }
  }

  // MARK: The summary

  private func end(_ seconds: Double) {
    line("[----------]", "Global test environment teardown.")
    let tests = Self.count(counts.tests, "test")
    let files = Self.count(counts.files, "test file")
    line("[==========]", "\(tests) from \(files) ran. (\((seconds * 1000).fixed(2)) ms total)")
    line("[  PASSED  ]", "\(Self.count(counts.successes, "test")).")
    list(colors.yellow("[  FLAKY   ]"), tally.flaky.count, "test", tally.flaky)
    list(mark(.pending), counts.skipped, "test", tally.pendings)
    list(mark(.failure), counts.failures, "test", tally.failures)
    list(mark(.error), counts.errors, "error", tally.errors)
    if counts.skipped + counts.failures + counts.errors > 0 { writer.write("\n") }
    foot(counts.skipped, "SKIPPED TEST")
    foot(counts.failures, "FAILED TEST")
    foot(counts.errors, "ERROR")
  }

  private func list(_ mark: String, _ count: Int, _ word: String, _ entries: [Tally.Entry]) {
    guard count > 0 else { return }
    writer.write("\(mark) \(Self.count(count, word)), listed below:\n")
    for entry in entries {
      writer.write("\(mark) \(location(entry.origin))\(colors.bright(entry.node.fullName))\n")
      if style.defersPrint { writer.write(description(entry)) }
    }
  }

  private func foot(_ count: Int, _ words: String) {
    if count > 0 { writer.write(" \(count) \(words)\(count == 1 ? "" : "S")\n") }
  }

  // MARK: Texts

  private func title(_ node: SpecNode) -> String {
    location(node.trace) + colors.bright(node.fullName)
  }

  private func location(_ trace: SpecTrace?) -> String {
    guard let trace else { return "" }
    return "\(colors.cyan(trace.file)) @ \(colors.cyan("\(trace.line)")): "
  }

  private func description(_ entry: Tally.Entry) -> String {
    let isProblem = entry.isError || entry.message != nil
    guard isProblem else { return "" }
    var text = entry.node.seed.map { "Random seed: \($0)\n" } ?? ""
    text += (entry.message ?? "Nil error") + "\n"
    for path in entry.node.artifacts { text += path + "\n" }
    if style.isVerbose, let traceback = entry.trace?.traceback { text += traceback + "\n" }
    return text
  }

  private static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  private static func milliseconds(_ seconds: Double?) -> String {
    ((seconds ?? 0) * 1000).fixed(2)
  }
}

extension SpecNode {
  var fileName: String { name ?? fullName }
}
