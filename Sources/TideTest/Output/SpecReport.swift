/// Reports the progress and results of a test run to people or programs.
///
/// ```swift
/// final class Dots: SpecReport {
///   func take(_ event: SpecEvent) {
///     if case .testEnd(_, let status) = event { print(status) }
///   }
/// }
/// ```
package protocol SpecReport: AnyObject {
  /// Whether it needs stack traces of declarations, which are slow to collect.
  var wantsTraces: Bool { get }
  /// Receives all events, in order.
  func take(_ event: SpecEvent)
}

extension SpecReport {
  package var wantsTraces: Bool { false }
}

/// The destination of a report: standard output, a file, or a string in tests.
package final class ReportWriter {
  private let body: (UnsafeRawBufferPointer) -> Void
  private let other: ((UnsafeRawBufferPointer) -> Void)?

  /// - Parameter other: receives the output of specs if the report is for programs; nil to mix it
  ///   into the report.
  package init(
    printed other: ((UnsafeRawBufferPointer) -> Void)? = nil,
    _ body: @escaping (UnsafeRawBufferPointer) -> Void
  ) {
    self.body = body
    self.other = other
  }

  package func write(_ text: String) {
    var text = text
    text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  package func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes { body($0) } }

  /// Writes output of a spec.
  package func pass(_ bytes: [UInt8]) { bytes.withUnsafeBytes { (other ?? body)($0) } }
}

/// Formatting options of reports.
package struct ReportStyle: Sendable {
  package var isVerbose = false
  package var suppressesPending = false
  package var defersPrint = false
  package var hasColors = false

  package init() {}

  package init(_ options: TestOptions, hasColors: Bool) {
    isVerbose = options.isVerbose
    suppressesPending = options.suppressesPending
    defersPrint = options.defersPrint
    self.hasColors = hasColors
  }
}
