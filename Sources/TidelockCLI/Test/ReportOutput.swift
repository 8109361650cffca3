import TideSystem
import TideTest

/// The destinations of the report and of specs' output.
///
/// A report for programs has standard output to itself: all other output, for example of programs
/// started by specs, goes to standard error.
struct ReportOutput: Sendable {
  /// Whether the report is for people, so that messages may be mixed into it.
  let isForPeople: Bool
  let descriptor: Int32
  private let isShared: Bool

  /// Call it once, before starting anything.
  init(_ options: TestOptions) {
    let isJSON = options.writesLines
    isForPeople = !isJSON && [nil, "utfTerminal", "plainTerminal"].contains(options.output)
    let isForPrograms = isJSON || ["TAP", "json", "junit"].contains(options.output)
    let own = isForPrograms ? fcntl(1, F_DUPFD_CLOEXEC, 3) : -1
    isShared = own < 0 || dup2(2, 1) < 0
    descriptor = isShared ? 1 : own
  }

  var isTerminal: Bool { isatty(descriptor) != 0 }

  /// A writer for the report, which stops when the output is closed.
  func writer(_ output: StandardOutput) -> ReportWriter {
    if isShared { return ReportWriter { output.write($0) } }
    let printed: (UnsafeRawBufferPointer) -> Void = { _ = StandardStreams.write($0, to: 2) }
    return ReportWriter(printed: printed) { output.write($0) }
  }
}
