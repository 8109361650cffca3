import TideSystem
import TideBindings

/// `utfTerminal` and `plainTerminal`: a mark for each test, then the problems.
package final class TerminalReport: SpecReport {
  /// The marks for results, and the arrow before a location.
  package struct Signs: Sendable {
    var success, failure, error, pending, arrow: String

    package static let utf = Signs(
      success: "●", failure: "◼", error: "✱", pending: "◌", arrow: "→")
    package static let plain = Signs(
      success: "+", failure: "-", error: "*", pending: ".", arrow: "->")
  }

  private let writer: ReportWriter
  private let signs: Signs
  private let style: ReportStyle
  private let words: ReportWords
  private let colors: Palette
  private var tally: Tally

  package init(_ writer: ReportWriter, _ signs: Signs, _ style: ReportStyle, _ words: ReportWords) {
    self.writer = writer
    self.signs = signs
    self.style = style
    self.words = words
    colors = Palette(isOn: style.hasColors)
    tally = Tally(style)
  }

  package func take(_ event: SpecEvent) {
    guard let event = tally.take(event.escapingControls) else { return }
    switch event {
    case .suiteStart(let start):
      if start.total > 1 {
        writer.write("\nRepeating all tests (run \(start.number) of \(start.total)) . . .\n\n")
      }
    case .testEnd(let node, let status):
      let isFlaky = status == .success && !node.failedAttempts.isEmpty
      let mark = isFlaky ? colors.yellow(signs.success) : mark(status)
      if !style.defersPrint { writer.write(mark) }
    case .problem(let node, let problem):
      let isBody = node.descriptor == "file" || node.descriptor == "describe"
      if isBody && problem.status != .pending { writer.write(mark(.error)) }
    case .listed(let node): writer.write(node.listing + "\n")
    case .output(let bytes): writer.pass(bytes)
    case .suiteEnd: writeSummary()
    default: break
    }
  }

  private func mark(_ status: SpecStatus) -> String {
    switch status {
    case .success: colors.green(signs.success)
    case .failure: colors.red(signs.failure)
    case .error: colors.magenta(signs.error)
    case .pending: colors.yellow(signs.pending)
    }
  }

  // MARK: The summary

  private func writeSummary() {
    writer.write("\n" + counts + "\n")
    let flaky = tally.flaky
    if !flaky.isEmpty {
      writer.write("\(colors.yellow("\(flaky.count)")) flaky, which passed when tried again\n")
    }
    for entry in flaky { writer.write("\n" + self.flaky(entry) + "\n") }
    for entry in tally.pendings { writer.write("\n" + pending(entry) + "\n") }
    for entry in tally.failures { writer.write("\n" + failure(entry) + "\n") }
    for entry in tally.errors { writer.write("\n" + failure(entry) + "\n") }
  }

  private var counts: String {
    func count(_ number: Int, _ word: String, _ paint: (String) -> String) -> String {
      "\(paint("\(number)")) \(words.plural(word, number))"
    }
    let parts = [
      count(tally.successes.count, "success", colors.green),
      count(tally.failureCount, "failure", colors.red),
      count(tally.errors.count, "error", colors.magenta),
      count(tally.pendings.count, "pending", colors.yellow),
    ]
    return parts.joined(separator: " / ")
      + " : \(colors.bright(tally.duration.shortened)) \(words["seconds"])"
  }

  private func location(_ trace: SpecTrace) -> String {
    "\(colors.cyan(trace.file)) @ \(colors.cyan("\(trace.line)"))"
  }

  private func pending(_ entry: Tally.Entry) -> String {
    var text = "\(colors.yellow(words["pending"])) \(signs.arrow) "
    if let trace = entry.trace { text += location(trace) }
    text += "\n" + colors.bright(entry.node.fullName)
    if let message = entry.message { text += "\n" + message }
    return text
  }

  /// A test that passed after a retry, with the earlier problems.
  private func flaky(_ entry: Tally.Entry) -> String {
    var text = "\(colors.yellow("Flaky")) \(signs.arrow) "
    if let trace = entry.trace { text += location(trace) }
    text += "\n" + colors.bright(entry.node.fullName)
    if let attempts = entry.node.attempts { text += "\n\(attempts)" }
    for message in entry.node.failedAttempts { text += "\n" + message }
    return text
  }

  private func excerpt(_ entry: Tally.Entry) -> String {
    entry.source.map { "\n" + $0.excerpt } ?? ""
  }

  private func failure(_ entry: Tally.Entry) -> String {
    let word = entry.isError ? colors.magenta(words["error"]) : colors.red(words["failure"])
    var text = "\(word) \(signs.arrow) "
    let seed = entry.node.seed.map { "Random seed: \($0)\n" } ?? ""
    let message = seed + (entry.message ?? "Nil error")
    if let trace = entry.origin {
      text += "\(location(trace))\n\(colors.bright(entry.node.fullName))\n\(message)"
    } else {
      text += "\(colors.cyan(message))\n\(colors.bright(entry.node.fullName))"
    }
    text += excerpt(entry)
    if let attempts = entry.node.attempts { text += "\n(\(attempts))" }
    for path in entry.node.artifacts { text += "\n\(signs.arrow) \(colors.cyan(path))" }
    if style.isVerbose, let traceback = entry.trace?.traceback { text += "\n" + traceback }
    return text
  }
}

extension SpecNode {
  /// The line that `--list` prints; a single line, whatever the name contains.
  var listing: String {
    let name = fullName.escapingControls
    guard let trace, trace.kind == "Lua" else { return name }
    return "\(trace.file.escapingControls):\(trace.line): \(name)"
  }
}

/// The colours of reports in a terminal; may be turned off.
struct Palette {
  var isOn: Bool

  func red(_ text: String) -> String { paint(text, 31) }
  func green(_ text: String) -> String { paint(text, 32) }
  func yellow(_ text: String) -> String { paint(text, 33) }
  func magenta(_ text: String) -> String { paint(text, 35) }
  func cyan(_ text: String) -> String { paint(text, 36) }
  func bright(_ text: String) -> String { paint(text, 1) }

  private func paint(_ text: String, _ code: Int) -> String {
    isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
