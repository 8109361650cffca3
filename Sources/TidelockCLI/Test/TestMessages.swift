import TideSystem
import TideBindings
import TideScript
import TideTest

/// Prints messages beside the report, for people or, with `--json`, for programs.
struct TestMessages {
  private let isJSON: Bool
  /// Whether the report is read by people, so that other texts may stand beside it.
  private let isForPeople: Bool

  init(_ options: TestOptions) {
    isJSON = options.writesLines
    isForPeople =
      !isJSON && [nil, "utfTerminal", "plainTerminal"].contains(options.output)
  }

  init(isJSON: Bool) {
    self.isJSON = isJSON
    isForPeople = !isJSON
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

  /// Says how the watching goes.
  func progress(_ text: String) {
    isJSON ? notice(text) : writeEscaped("\n\(text)\n", to: isForPeople ? 1 : 2)
  }

  func show(_ coverage: CoverageReport) {
    guard isJSON else { return writeEscaped(coverage.table, to: isForPeople ? 1 : 2) }
    for file in coverage.files {
      var object = JSONLine()
      object.add("event", "coverage")
      object.add("file", file.path)
      object.add("lines", file.lines.count)
      object.add("hits", file.hits)
      object.add("missedLines", file.missedLines)
      write(object.text + "\n", to: 1)
    }
  }

  /// For people: texts quote names of files, and messages of specs.
  private func writeEscaped(_ text: String, to stream: Int32) {
    write(text.escapingControlsInLines, to: stream)
  }

  /// Where the stream is closed there is nobody left to tell.
  private func write(_ text: String, to stream: Int32) {
    _ = StandardStreams.write(text, to: stream)
  }
}
