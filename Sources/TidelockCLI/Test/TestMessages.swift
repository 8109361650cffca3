import TideSystem
import TideBindings
import TideScript
import TideTest

/// Prints messages besides the report, as text or, with `--json`, as objects.
struct TestMessages {
  private let isJSON: Bool
  /// The stream for messages besides a report for people.
  private let stream: Int32
  /// The stream for the report.
  private let report: Int32

  init(_ options: TestOptions, _ output: ReportOutput) {
    isJSON = options.writesLines
    report = output.descriptor
    stream = output.isForPeople ? 1 : 2
  }

  init(isJSON: Bool) {
    self.isJSON = isJSON
    (report, stream) = (1, isJSON ? 2 : 1)
  }

  func notice(_ text: String) { tell("notice", text, prefix: "") }
  func complain(_ text: String) { tell("error", text, prefix: "error: ") }

  private func tell(_ severity: String, _ text: String, prefix: String) {
    guard isJSON else { return writeEscaped("tidelock test: \(prefix)\(text)\n", to: 2) }
    var object = JSONLine()
    object.add("severity", severity)
    object.add("message", text)
    write(object.text + "\n", to: 2)
  }

  /// Reports the progress of watching.
  func progress(_ text: String) {
    isJSON ? notice(text) : writeEscaped("\n\(text)\n", to: stream)
  }

  /// Echoes typed input.
  func echo(_ text: String) { write(text, to: stream) }

  func show(slowest tests: [SpecNode]) {
    if tests.isEmpty { return }
    if isJSON {
      for test in tests {
        var object = JSONLine()
        object.add("event", "slow")
        object.add("name", test.fullName)
        if let trace = test.trace {
          object.add("file", trace.file)
          object.add("line", trace.line)
        }
        object.add("seconds", test.duration ?? 0)
        write(object.text + "\n", to: report)
      }
      return
    }
    var text =
      tests.count == 1 ? "\nThe slowest test\n\n" : "\nThe \(tests.count) slowest tests\n\n"
    for test in tests {
      let seconds = (test.duration ?? 0).fixed(3)
      let place = test.trace.map { "\($0.file):\($0.line): " } ?? ""
      text += String(repeating: " ", count: max(0, 9 - seconds.count))
      text += "\(seconds) s  \(place)\(test.fullName.escapingControls)\n"
    }
    writeEscaped(text, to: stream)
  }

  func show(_ coverage: CoverageReport) {
    guard isJSON else { return writeEscaped(coverage.table, to: stream) }
    for file in coverage.files {
      var object = JSONLine()
      object.add("event", "coverage")
      object.add("file", file.path)
      object.add("lines", file.lines.count)
      object.add("hits", file.hits)
      object.add("missedLines", file.missedLines)
      write(object.text + "\n", to: report)
    }
  }

  /// Escapes the text, which may quote file names and messages of specs.
  private func writeEscaped(_ text: String, to stream: Int32) {
    write(text.escapingControlsInLines, to: stream)
  }

  /// Ignores errors: if the stream is closed, nobody can be notified.
  private func write(_ text: String, to stream: Int32) {
    _ = StandardStreams.write(text, to: stream)
  }
}
