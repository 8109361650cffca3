/// Tells people or programs how a run of specs goes.
///
/// ```swift
/// final class Dots: SpecReport {
///   func take(_ event: SpecEvent) {
///     if case .testEnd(_, let status) = event { print(status) }
///   }
/// }
/// ```
package protocol SpecReport: AnyObject {
  /// Whether it shows the calls that led to a test's declaration, which take time to note.
  var wantsTraces: Bool { get }
  /// Hears of everything that happens, in order.
  func take(_ event: SpecEvent)
}

extension SpecReport {
  package var wantsTraces: Bool { false }
}

/// Where a report is written: standard output, a file, or a test's text.
package final class ReportWriter {
  private let body: (UnsafeRawBufferPointer) -> Void
  private let other: ((UnsafeRawBufferPointer) -> Void)?

  /// - Parameter other: takes what specs print where the report is one for programs; nil where that
  ///   stands within the report.
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

  /// Passes on what a spec printed.
  package func pass(_ bytes: [UInt8]) { bytes.withUnsafeBytes { (other ?? body)($0) } }
}

/// How reports are written, beside their kind.
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
