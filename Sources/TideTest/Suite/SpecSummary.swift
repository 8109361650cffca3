/// What came of a run of specs; its description is a report for people.
///
/// ```swift
/// let summary = try await SpecSuite("spec").run()
/// print(summary.count(of: .success), "of", summary.results.count, "passed")
/// for result in summary.results where result.status == .failure {
///   print(result.name, result.message ?? "")
/// }
/// ```
public struct SpecSummary: Sendable, CustomStringConvertible {
  /// Whether at least one spec file was found, and neither a test nor anything around one failed.
  public let isGood: Bool
  /// The tests in the order in which they ran.
  public let results: [SpecResult]
  /// What went wrong around tests: a file that cannot be read, a hook, a block.
  public let errors: [SpecResult]
  /// What to tell beside the results, such as snapshots that no test asks for.
  public let notices: [String]
  /// How long the run took.
  public let duration: Duration
  /// The marks of the tests, what specs printed, and what went wrong, as `tidelock test` prints
  /// them.
  public let description: String

  /// How many tests ended so.
  public func count(of status: SpecStatus) -> Int {
    results.count { $0.status == status }
  }
}

/// What came of one test, or of something around one.
///
/// ```swift
/// let summary = try await SpecSuite("spec").run { result in print(result.name, result.status) }
/// ```
public struct SpecResult: Sendable {
  /// The names of the blocks around it and its own.
  public let name: String
  /// The spec file in which it was declared.
  public let file: String
  /// The line on which it was declared, from 1; nil for a file.
  public let line: Int?
  /// How it ended.
  public let status: SpecStatus
  /// Why it was skipped or failed; nil where it passed.
  public let message: String?
  /// How long it took.
  public let duration: Duration
}
