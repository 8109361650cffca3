public import TideScript
import TideSystem

/// A suite of specs for a host's scripts, which run in runtimes prepared by the host.
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
/// Each spec file runs in its own runtime, on a thread of the suite and on a virtual clock, as with
/// `tidelock test`. Create models within `prepare`, which belong to that runtime, and do not pass
/// in objects that another thread uses.
public struct SpecSuite: Sendable {
  /// Spec files and folders; `FILE:LINE` selects the tests on a line. If empty, `spec`, `test` and
  /// `tests` in the working folder.
  public var paths: [String]
  /// Lua patterns for file names; a file that matches any of them is a spec file.
  public var patterns = ["_spec"]
  /// Tests with one of these `#tags` run; empty for all.
  public var tags: [String] = []
  /// Tests with one of these `#tags` do not run.
  public var excludedTags: [String] = []
  /// Lua patterns of the full names of tests; empty for all.
  public var filters: [String] = []
  /// The seed for shuffling files and tests; nil to keep their order.
  public var seed: Int?
  /// The number of files that run in parallel, each on a thread.
  public var jobs = 1
  /// The time limit of a test or hook.
  public var timeLimit = Duration.seconds(10)
  /// The memory limit of one file's specs.
  public var memory = MemorySize.megabytes(256)
  /// Whether specs and their modules are sandboxed as apps are: no files, programs or `debug`
  /// library.
  public var isSandboxed = false
  /// Whether `assert.snapshot` writes snapshots instead of comparing them.
  public var updatesSnapshots = false
  /// Adjusts the configuration of each spec file's runtime, such as its limits or its settings
  /// folder. The suite itself sets the clock, the output, and the limits above.
  public var configure: @Sendable (inout Runtime.Configuration) -> Void = { _ in }
  /// Prepares the runtime of each spec file, before helpers and the file itself are loaded.
  public var prepare: @Sendable (Runtime) throws -> Void

  /// Creates a suite of spec files.
  ///
  /// - Parameters:
  ///   - paths: files and folders; empty for the usual folders.
  ///   - prepare: called once for each spec file, on the thread that runs it.
  public init(_ paths: String..., prepare: @escaping @Sendable (Runtime) throws -> Void = { _ in })
  {
    self.paths = paths
    self.prepare = prepare
  }

  /// Runs all specs and returns their results.
  ///
  /// The calling task is suspended, so its thread is free. Failing specs do not throw: check
  /// ``SpecSummary/isGood``. Invalid patterns and unreadable files are listed in
  /// ``SpecSummary/errors``.
  ///
  /// - Parameter onResult: called with each test's result as it ends, on a thread of the suite.
  /// - Throws: `LuaError` if there is no memory for the interpreter that selects the tests.
  public func run(
    onResult: @escaping @Sendable (SpecResult) -> Void = { _ in }
  ) async throws -> SpecSummary {
    let options = options
    return try await withCheckedThrowingContinuation { waiting in
      let work: @Sendable () -> Void = {
        waiting.resume(with: Result { try Self.run(options, onResult) })
      }
      // Specs may take long, and must not block a thread of the cooperative pool.
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
