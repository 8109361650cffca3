package import TideLua
package import TideScript
import TideSystem

/// What a run of specs may be told.
package struct TestOptions: Sendable {
  // MARK: Which files

  /// Files and folders, as they were given; none for the usual ones.
  package var roots: [String] = []
  package var patterns = ["_spec"]
  package var excludedPatterns: [String] = []
  package var isRecursive = true

  // MARK: Which tests

  package var tags: [String] = []
  package var excludedTags: [String] = []
  package var filters: [String] = []
  package var excludedFilters: [String] = []
  /// Lines from which to run the tests that stand there, by file.
  package var lines: [String: [Int]] = [:]
  package var listsOnly = false
  /// Which tests failed when the project's tests last ran.
  package var lastFailed = FailedTests()
  /// Runs those alone.
  package var runsOnlyFailed = false
  /// Runs those before the others.
  package var runsFailedFirst = false

  // MARK: How

  package var repeats = 1
  package var shufflesFiles = false
  package var shufflesTests = false
  package var sortsFiles = false
  package var sortsTests = false
  /// For shuffling; nil for one by chance.
  package var seed: Int?
  package var isLazy = false
  package var insulatesFiles = true
  package var keepsGoing = true
  /// How many files run side by side.
  package var jobs = 1
  /// How often a test that fails is tried again.
  package var retries = 0

  // MARK: The world of specs

  package var modulePath = TestOptions.defaultModulePath
  package var nativePath = TestOptions.defaultNativePath
  package var statements: [String] = []
  package var helper: String?
  package var helperArguments: [String] = []
  package var arguments: [String] = []
  package var isSandboxed = false
  /// What the project's files may reach in the sandbox.
  package var allowedAccess = LuaAccess()
  /// Whether snapshots are written, and not compared.
  package var updatesSnapshots = false
  /// In seconds, for one test or hook.
  package var timeLimit = 10.0
  /// In bytes, for what one file's specs make.
  package var memory = 256 << 20
  /// In seconds, how long a test or hook may run without waiting; nil for as long as it may take.
  package var turn: Double?
  /// The other budgets of one file's specs.
  package var limits = Runtime.Limits()

  // MARK: For hosts

  /// Changes how runtimes are made, before what is said here.
  package var configure: @Sendable (inout Runtime.Configuration) -> Void = { _ in }
  /// Furnishes each runtime.
  var prepare: @Sendable (Runtime) throws -> Void = { _ in }

  // MARK: Reports

  package var output: String?
  /// Whether the report is an object of JSON a line, in place of `output`.
  package var writesLines = false
  /// Whether reports for people are coloured; nil where that depends on whether they go to a
  /// terminal.
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
  /// The file in place of `.luacov`.
  package var coverageConfiguration: String?
  /// The share of lines, in percent, that must have run; nil for what that file says.
  package var coverageThreshold: Double?

  // MARK: For who runs specs again and again

  /// Is told which files each spec file has loaded.
  package var trail: FileTrail?
  /// Stops the run early.
  package var stop: RunStop?
  /// Is told which lines have run.
  var coverage: CoverageRecord?

  package init() {}

  package static let defaultModulePath = "./src/?.lua;./src/?/?.lua;./src/?/init.lua"
  package static let defaultNativePath = "./csrc/?.so;./csrc/?/?.so;"

  /// How long a test or hook may run without waiting, in seconds.
  var secondsOfTurn: Double { min(turn ?? timeLimit, timeLimit) }

  /// Whether declarations must be looked at one by one.
  var isFiltering: Bool {
    listsOnly
      || !(tags.isEmpty && excludedTags.isEmpty && filters.isEmpty
        && excludedFilters.isEmpty)
  }
}

/// Why no test can be run at all.
package struct TestSetupError: Error {
  package let message: String
  /// Whether the command line is wrong, rather than a file.
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
  /// Takes files and folders as they are given: split by commas, and with `:LINE` after a file.
  package mutating func setRoots(_ given: [String]) {
    roots = []
    lines = [:]
    var whole: Set<String> = []
    for path in given.flatMap(\.commaParts) {
      let (file, line) = Self.location(path)
      if !roots.contains(file) { roots.append(file) }
      // A file that is asked for by itself is run as a whole, whatever is said of its lines.
      if let line { lines[file, default: []].append(line) } else { whole.insert(file) }
    }
    for file in whole { lines[file] = nil }
  }

  /// Reads `file:line`, and `file:line:column` as errors have it.
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
