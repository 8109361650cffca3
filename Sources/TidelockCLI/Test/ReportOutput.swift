import TideSystem
import TideTest

/// Where the report is written, and where goes what specs print.
///
/// A report for programs has standard output for itself: whatever else is written to it, as by the
/// programs that specs start, goes to standard error.
struct ReportOutput: Sendable {
  /// Whether the report is read by people, so that other texts may stand beside it.
  let isForPeople: Bool
  let descriptor: Int32
  private let isShared: Bool

  /// Call it once, before anything is started.
  init(_ options: TestOptions) {
    let isJSON = options.writesLines
    isForPeople = !isJSON && [nil, "utfTerminal", "plainTerminal"].contains(options.output)
    let isForPrograms = isJSON || ["TAP", "json", "junit"].contains(options.output)
    let own = isForPrograms ? fcntl(1, F_DUPFD_CLOEXEC, 3) : -1
    isShared = own < 0 || dup2(2, 1) < 0
    descriptor = isShared ? 1 : own
  }

  var isTerminal: Bool { isatty(descriptor) != 0 }

  /// Writes a report until the other end is closed.
  func writer(_ output: StandardOutput) -> ReportWriter {
    if isShared { return ReportWriter { output.write($0) } }
    let printed: (UnsafeRawBufferPointer) -> Void = { _ = StandardStreams.write($0, to: 2) }
    return ReportWriter(printed: printed) { output.write($0) }
  }
}
