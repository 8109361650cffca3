public import TideScript
import TideSystem

/// The specs of a host's scripts, which run against runtimes that the host has furnished.
///
/// ```swift
/// let suite = SpecSuite("spec") { runtime in
///   try runtime.register("account", Account())
///   try runtime.register("rate") { (currency: String) in currency == "EUR" ? 1.0 : 1.1 }
/// }
/// let summary = try await suite.run()
/// guard summary.isGood else { return print(summary) }
/// ```
///
/// Each spec file runs in a runtime of its own, on a thread of the suite's and on a virtual clock,
/// as with `tidelock test`. What `prepare` makes belongs to that runtime: make models in it, and
/// hand in nothing that another thread uses.
public struct SpecSuite: Sendable {
  /// Spec files, with `:LINE` for the tests that stand there, and folders; empty for `spec`, `test`
  /// and `tests` in the working folder.
  public var paths: [String]
  /// Lua patterns of file names; those that match one of them are spec files.
  public var patterns = ["_spec"]
  /// Tests with one of these `#tags` run; empty for all.
  public var tags: [String] = []
  /// Tests with one of these `#tags` do not run.
  public var excludedTags: [String] = []
  /// Lua patterns of the full names of tests; empty for all.
  public var filters: [String] = []
  /// Shuffles files and tests; nil to run them as they stand.
  public var seed: Int?
  /// How many files run side by side, each on a thread.
  public var jobs = 1
  /// How long one test or hook may run.
  public var timeLimit = Duration.seconds(10)
  /// What one file's specs may take.
  public var memory = MemorySize.megabytes(256)
  /// Whether specs and their modules are held in as apps are: no files, programs or `debug`
  /// library.
  public var isSandboxed = false
  /// Whether `assert.snapshot` writes what it sees, rather than comparing it.
  public var updatesSnapshots = false
  /// Changes how the runtime of a spec file is made, such as its limits or its settings' folder.
  /// The clock, what prints, and the limits above are the suite's.
  public var configure: @Sendable (inout Runtime.Configuration) -> Void = { _ in }
  /// Furnishes the runtime of each spec file, before helpers and the file itself are loaded.
  public var prepare: @Sendable (Runtime) throws -> Void

  /// Makes a suite of spec files.
  ///
  /// - Parameters:
  ///   - paths: files and folders; none for the usual ones.
  ///   - prepare: called once for each spec file, on the thread that runs it.
  public init(_ paths: String..., prepare: @escaping @Sendable (Runtime) throws -> Void = { _ in })
  {
    self.paths = paths
    self.prepare = prepare
  }

  /// Runs all specs, and says what came of each.
  ///
  /// The calling task waits without keeping its thread. Specs that fail throw nothing: look at
  /// ``SpecSummary/isGood``. An invalid pattern and a file that cannot be read are among
  /// ``SpecSummary/errors``.
  ///
  /// - Parameter onResult: called with each test's result as it ends, on a thread of the suite's.
  /// - Throws: `LuaError` where there is no memory for the interpreter that chooses the tests.
  public func run(
    onResult: @escaping @Sendable (SpecResult) -> Void = { _ in }
  ) async throws -> SpecSummary {
    let options = options
    return try await withCheckedThrowingContinuation { waiting in
      let work: @Sendable () -> Void = {
        waiting.resume(with: Result { try Self.run(options, onResult) })
      }
      // Specs may take long, and none of the concurrency pool may be kept.
      if let thread = SystemThread(work) { thread.detach() } else { work() }
    }
  }

  private static func run(
    _ options: TestOptions, _ onResult: @escaping (SpecResult) -> Void
  ) throws -> SpecSummary {
    let report = SummaryReport(onResult)
    let run = SuiteRun(options, reporting: report)
    let isGood = try run.run()
    return report.summary(isGood: isGood, notices: run.notices)
  }

  private var options: TestOptions {
    var options = TestOptions()
    if !paths.isEmpty { options.setRoots(paths) }
    options.patterns = patterns
    options.tags = tags
    options.excludedTags = excludedTags
    options.filters = filters
    options.seed = seed
    options.shufflesFiles = seed != nil
    options.shufflesTests = seed != nil
    options.jobs = max(1, jobs)
    options.timeLimit = timeLimit / .seconds(1)
    options.memory = memory.limit
    options.isSandboxed = isSandboxed
    options.updatesSnapshots = updatesSnapshots
    options.configure = configure
    options.prepare = prepare
    return options
  }
}
