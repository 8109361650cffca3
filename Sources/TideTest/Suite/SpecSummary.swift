/// The results of a run of specs; its description is a report for people.
///
/// ```swift
/// let summary = try await SpecSuite("spec").run()
/// print(summary.count(of: .success), "of", summary.results.count, "passed")
/// for result in summary.results where result.status == .failure {
///   print(result.name, result.message ?? "")
/// }
/// ```
public struct SpecSummary: Sendable, CustomStringConvertible {
  /// Whether at least one spec file was found and nothing failed.
  public let isGood: Bool
  /// The tests in the order in which they ran.
  public let results: [SpecResult]
  /// Problems outside of tests: unreadable files, hooks, blocks.
  public let errors: [SpecResult]
  /// Messages besides the results, such as unused snapshots.
  public let notices: [String]
  /// The duration of the run.
  public let duration: Duration
  /// The report as `tidelock test` prints it: a mark for each test, the output of specs, and the
  /// problems.
  public let description: String

  /// The number of tests with a status.
  public func count(of status: SpecStatus) -> Int {
    results.count { $0.status == status }
  }
}

/// The result of one test, or a problem outside of tests.
///
/// ```swift
/// let summary = try await SpecSuite("spec").run { result in print(result.name, result.status) }
/// ```
public struct SpecResult: Sendable {
  /// The full name: the names of the enclosing blocks, and its own.
  public let name: String
  /// The spec file in which it was declared.
  public let file: String
  /// The line on which it was declared, from 1; nil for a file.
  public let line: Int?
  /// The status.
  public let status: SpecStatus
  /// The reason for being skipped or failed; nil if it passed.
  public let message: String?
  /// The duration.
  public let duration: Duration
}
