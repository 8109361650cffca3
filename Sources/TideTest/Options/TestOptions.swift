import TideCheck
package import TideLua
package import TideScript
import TideSystem

/// The options of a test run.
package struct TestOptions: Sendable {
  // MARK: Files

  /// Files and folders as given; empty for the usual folders.
  package var roots: [String] = []
  package var patterns = ["_spec"]
  package var excludedPatterns: [String] = []
  package var isRecursive = true

  // MARK: Selection of tests

  package var tags: [String] = []
  package var excludedTags: [String] = []
  package var filters: [String] = []
  package var excludedFilters: [String] = []
  /// Selected lines by file: only tests on these lines run.
  package var lines: [String: [Int]] = [:]
  package var listsOnly = false
  /// The tests that failed in the project's previous run.
  package var lastFailed = FailedTests()
  /// Whether only those tests run.
  package var runsOnlyFailed = false
  /// Whether those tests run first.
  package var runsFailedFirst = false

  // MARK: Execution

  package var repeats = 1
  package var shufflesFiles = false
  package var shufflesTests = false
  package var sortsFiles = false
  package var sortsTests = false
  /// The seed for shuffling; nil for a random one.
  package var seed: Int?
  package var isLazy = false
  package var insulatesFiles = true
  package var keepsGoing = true
  /// The number of files that run in parallel.
  package var jobs = 1
  /// The maximum number of further attempts for a failing test.
  package var retries = 0

  // MARK: Environment of specs

  package var modulePath = TestOptions.defaultModulePath
  package var nativePath = TestOptions.defaultNativePath
  package var statements: [String] = []
  package var helper: String?
  package var helperArguments: [String] = []
  package var arguments: [String] = []
  package var isSandboxed = false
  /// The system access granted to the project's files in the sandbox.
  package var allowedAccess = LuaAccess()
  /// Whether snapshots are written instead of compared.
  package var updatesSnapshots = false
  /// The time limit of a test or hook, in seconds.
  package var timeLimit = 10.0
  /// The memory limit of one file's specs, in bytes.
  package var memory = 256 << 20
  /// The time that a test or hook may run without waiting, in seconds; nil for `timeLimit`.
  package var turn: Double?
  /// The other limits of one file's specs.
  package var limits = Runtime.Limits()

  // MARK: For hosts

  /// Adjusts the configuration of runtimes, before these options are applied.
  package var configure: @Sendable (inout Runtime.Configuration) -> Void = { _ in }
  /// Prepares each runtime.
  var prepare: @Sendable (Runtime) throws -> Void = { _ in }

  // MARK: Reports

  package var output: String?
  /// Whether the report is one JSON object per line, instead of `output`.
  package var writesLines = false
  /// Whether reports for people use colours; nil to decide by the output device.
  package var hasColors: Bool?
  package var outputArguments: [String] = []
  package var language = "en"
  package var isVerbose = false
  package var suppressesPending = false
  package var defersPrint = false
  package var hasSound = false
  /// The number of slowest tests to report.
  package var slowest = 0
  package var measuresCoverage = false
  /// The coverage configuration to use instead of `.luacov`.
  package var coverageConfiguration: String?
  /// Where to show what failed tests have seen; nil to record nothing.
  package var artifacts: ArtifactFolder?
  /// The required line coverage in percent; nil for the configuration file's value.
  package var coverageThreshold: Double?

  // MARK: Repeated runs

  /// Records the files that each spec file has loaded.
  package var trail: FileTrail?
  /// Stops the run early.
  package var stop: RunStop?
  /// Records the lines that have run.
  var coverage: CoverageRecord?

  package init() {}

  package static let defaultModulePath = SpecModulePath.standard
  package static let defaultNativePath = "./csrc/?.so;./csrc/?/?.so;"

  /// The time that a test or hook may run without waiting, in seconds.
  var secondsOfTurn: Double { min(turn ?? timeLimit, timeLimit) }

  /// Whether each declaration must be matched against the filters.
  var isFiltering: Bool {
    listsOnly
      || !(tags.isEmpty && excludedTags.isEmpty && filters.isEmpty
        && excludedFilters.isEmpty)
  }
}

/// An error that prevents all tests from running.
package struct TestSetupError: Error {
  package let message: String
  /// Whether the command line is wrong, not a file.
  package let isUsage: Bool

  package init(_ message: String, isUsage: Bool = false) {
    self.message = message
    self.isUsage = isUsage
  }
}

extension TestSetupError: CustomStringConvertible {
  package var description: String { message }
}

extension TestOptions {
  /// Parses files and folders as given: split at commas, and with `:LINE` after a file.
  package mutating func setRoots(_ given: [String]) {
    roots = []
    lines = [:]
    var whole: Set<String> = []
    for path in given.flatMap(\.commaParts) {
      let (file, line) = Self.location(path)
      if !roots.contains(file) { roots.append(file) }
      // A file that is also given without a line runs completely.
      if let line { lines[file, default: []].append(line) } else { whole.insert(file) }
    }
    for file in whole { lines[file] = nil }
  }

  /// Parses `file:line`, and `file:line:column` as in error messages.
  private static func location(_ path: String) -> (file: String, line: Int?) {
    if access(path, F_OK) == 0 { return (path, nil) }
    guard let (file, line) = split(path) else { return (path, nil) }
    if access(file, F_OK) != 0, let (longer, line) = split(file), access(longer, F_OK) == 0 {
      return (longer, line)
    }
    return (file, line)
  }

  private static func split(_ path: String) -> (file: String, number: Int)? {
    guard let colon = path.lastIndex(of: ":"), let number = Int(path[path.index(after: colon)...])
    else { return nil }
    return (String(path[..<colon]), number)
  }
}
