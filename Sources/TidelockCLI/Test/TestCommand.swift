import ArgumentParser
import TideTest

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `tidelock test`: takes every flag of busted's, and some of its own.
struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Runs the tests of scripts.",
    discussion: """
      Specs of busted run as they are: files *_spec.lua below spec, test or tests. Each file runs in a \
      runtime of its own, files side by side; timers go by a virtual clock.

      Examples:
        tidelock test
        tidelock test spec/fruit_spec.lua:12
        tidelock test --tags slow -o TAP
        tidelock test -j 1 --shuffle --seed 42
        tidelock test --watch
        tidelock test --coverage

      Exit codes: 0 all passed, 1 failures or errors, or no test file was found, 64 usage.
      """,
    version: "\(SuiteRun.bustedVersion)")

  @Argument(
    help: "Spec files, with :LINE for the tests that stand there, and folders.",
    completion: .file(extensions: ["lua"]))
  var paths: [String] = []

  @Flag(
    name: .shortAndLong,
    help: "Stay, and run again what a saved file reaches; Enter runs all, q ends.")
  var watch = false

  @OptionGroup(title: "Which tests") var choice: TestChoiceOptions
  @OptionGroup(title: "How they run") var way: TestRunOptions
  @OptionGroup(title: "The report") var report: TestReportOptions

  func validate() throws {
    let excluded = choice.excludeTags.flatMap(\.commaParts)
    if let tag = choice.tags.flatMap(\.commaParts).first(where: { excluded.contains($0) }) {
      throw ValidationError("the tag \(tag) is both asked for and excluded.")
    }
    if report.json, let output = report.output {
      throw ValidationError("--json and --output \(output) ask for two things.")
    }
    if let jobs = way.jobs, jobs < 1 { throw ValidationError("-j needs 1 or more.") }
    if let count = way.repeat, count < 1 { throw ValidationError("--repeat needs 1 or more.") }
    if let seconds = way.timeout, seconds.seconds <= 0 {
      throw ValidationError("--timeout needs more than 0 seconds.")
    }
  }

  func run() throws {
    let status = test()
    if status != .success { throw ExitCode(status.code) }
  }

  private func test() -> ExitStatus {
    Interrupts.endProgram()
    do {
      let options = try makeOptions()
      if watch && !options.listsOnly { return try TestWatch(options).run() }
      return try TestPass(options).run() ? .success : .errorsListed
    } catch let error as TestSetupError {
      TestTeller(isJSON: report.json).complain(error.message)
      return error.isUsage ? .usage : .errorsListed
    } catch {
      TestTeller(isJSON: report.json).complain("\(error)")
      return .errorsListed
    }
  }

  /// What `.busted` says, and over it what the command line says.
  private func makeOptions() throws -> TestOptions {
    var options = TestOptions()
    options.jobs = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let folder = way.directory.reduce(".") { $1.hasPrefix("/") ? $1 : $0 + "/" + $1 }
    let given = try BustedConfiguration.find(way.configFile, in: folder)
    try given?.apply(to: &options, run: way.run)
    if given == nil, let run = way.run {
      throw TestSetupError(
        "there is no run \(run), because there is no file .busted", isUsage: true)
    }
    guard chdir(folder) == 0 else {
      throw TestSetupError("\(folder): \(String(cString: strerror(errno)))")
    }
    choice.apply(to: &options)
    way.apply(to: &options)
    report.apply(to: &options)
    if !paths.isEmpty { options.setRoots(paths) }
    options.arguments = Array(CommandLine.arguments.dropFirst(2))
    return options
  }
}

/// Flags that choose files and tests.
struct TestChoiceOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, parsing: .unconditionalSingleValue,
    help: "Run files whose names match this Lua pattern (default: _spec).")
  var pattern: [String] = []

  @Option(
    parsing: .unconditionalSingleValue, help: "Do not run files whose names match this Lua pattern."
  )
  var excludePattern: [String] = []

  @Option(name: .shortAndLong, help: "Run tests with these #tags only, split by commas.")
  var tags: [String] = []

  @Option(help: "Do not run tests with these #tags.")
  var excludeTags: [String] = []

  @Option(
    parsing: .unconditionalSingleValue, help: "Run tests whose names match this Lua pattern only.")
  var filter: [String] = []

  @Option(
    parsing: .unconditionalSingleValue, help: "Do not run tests whose names match this Lua pattern."
  )
  var filterOut: [String] = []

  @Flag(
    name: [.customShort("R"), .long], inversion: .prefixedNo,
    help: "Look into folders below (default).")
  var recursive: Bool?

  @Flag(name: .shortAndLong, help: "Print the names of the tests instead of running them.")
  var list = false

  func apply(to options: inout TestOptions) {
    if !pattern.isEmpty { options.patterns = pattern }
    if !excludePattern.isEmpty { options.excludedPatterns = excludePattern }
    if !tags.isEmpty { options.tags = tags.flatMap(\.commaParts) }
    if !excludeTags.isEmpty { options.excludedTags = excludeTags.flatMap(\.commaParts) }
    if !filter.isEmpty { options.filters = filter }
    if !filterOut.isEmpty { options.excludedFilters = filterOut }
    if let recursive { options.isRecursive = recursive }
    if list { options.listsOnly = true }
  }
}

/// Flags that say how tests run.
struct TestRunOptions: ParsableArguments {
  @Option(
    name: [.customShort("C"), .long], help: "Work in this folder; each counts from the one before.",
    completion: .directory)
  var directory: [String] = []

  @Option(
    name: [.customShort("f"), .long], help: "Read defaults from this file (default: .busted).",
    completion: .file())
  var configFile: String?

  @Option(name: .shortAndLong, help: "Which of the runs in .busted to use.")
  var run: String?

  @Option(
    name: .customShort("e"), parsing: .unconditionalSingleValue,
    help: "Run this Lua statement before each file.")
  var statements: [String] = []

  @Option(
    name: [.customShort("m"), .long],
    help: "Where modules are (default: \(TestOptions.defaultModulePath)).")
  var lpath: [String] = []

  @Option(help: "Where native modules are (default: \(TestOptions.defaultNativePath)).")
  var cpath: [String] = []

  @Option(help: "A script or module that runs before each file's specs.", completion: .file())
  var helper: String?

  @Option(
    name: .customLong("Xhelper", withSingleDash: true), parsing: .unconditionalSingleValue,
    help: "Arguments of the helper, split by commas.")
  var helperArguments: [String] = []

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: "How many files run side by side (default: one a processor).")
  var jobs: Int?

  @Option(
    help: ArgumentHelp("How long a test or hook may take (default: 10).", valueName: "seconds"))
  var timeout: SecondsValue?

  @Option(help: "Run everything so many times.")
  var `repeat`: Int?

  @Option(help: "The number that decides how tests are shuffled.")
  var seed: Int?

  @Flag(inversion: .prefixedNo, help: "Shuffle files and tests.")
  var shuffle: Bool?
  @Flag(inversion: .prefixedNo, help: "Shuffle files.")
  var shuffleFiles: Bool?
  @Flag(inversion: .prefixedNo, help: "Shuffle tests within their blocks.")
  var shuffleTests: Bool?
  @Flag(inversion: .prefixedNo, help: "Sort files and tests by name.")
  var sort: Bool?
  @Flag(inversion: .prefixedNo, help: "Sort files by name.")
  var sortFiles: Bool?
  @Flag(inversion: .prefixedNo, help: "Sort tests by name within their blocks.")
  var sortTests: Bool?

  @Flag(inversion: .prefixedNo, help: "Let setup and teardown be the lazy ones.")
  var lazy: Bool?
  @Flag(inversion: .prefixedNo, help: "Insulate files from each other (default).")
  var autoInsulate: Bool?
  @Flag(
    name: [.customShort("k"), .long], inversion: .prefixedNo,
    help: "Go on after a failure or error (default).")
  var keepGoing: Bool?
  @Flag(help: "End after the first failure or error.")
  var failfast = false
  @Flag(help: "Keep specs in the sandbox that apps run in.")
  var sandbox = false

  @Flag(
    name: [.customShort("u"), .long],
    help: "Write the snapshots that tests ask for, and remove those that none does.")
  var update = false

  @Option(help: "Taken for busted's sake: lua is the only loader.")
  var loaders: [String] = []
  @Option(help: "Taken for busted's sake: the interpreter is built in.")
  var lua: String?
  @Flag(help: "Taken for busted's sake, beside --lua.")
  var ignoreLua = false

  func apply(to options: inout TestOptions) {
    options.statements += statements
    if !lpath.isEmpty { options.modulePath = lpath.joined(separator: ";") }
    if !cpath.isEmpty { options.nativePath = cpath.joined(separator: ";") }
    if let helper { options.helper = helper }
    if !helperArguments.isEmpty {
      options.helperArguments = helperArguments.flatMap(\.commaParts)
    }
    if let jobs { options.jobs = jobs }
    if let timeout { options.timeLimit = timeout.seconds }
    if let count = self.repeat { options.repeats = count }
    if let seed { options.seed = seed }
    if let shuffle { (options.shufflesFiles, options.shufflesTests) = (shuffle, shuffle) }
    if let shuffleFiles { options.shufflesFiles = shuffleFiles }
    if let shuffleTests { options.shufflesTests = shuffleTests }
    if let sort { (options.sortsFiles, options.sortsTests) = (sort, sort) }
    if let sortFiles { options.sortsFiles = sortFiles }
    if let sortTests { options.sortsTests = sortTests }
    if let lazy { options.isLazy = lazy }
    if let autoInsulate { options.insulatesFiles = autoInsulate }
    if let keepGoing { options.keepsGoing = keepGoing }
    if failfast { options.keepsGoing = false }
    if sandbox { options.isSandboxed = true }
    if update { options.updatesSnapshots = true }
  }
}

/// Flags of the report.
struct TestReportOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: """
      utfTerminal (default on a terminal), plainTerminal (default elsewhere), TAP, json, junit, gtest, \
      or a report written for busted: a file or a module.
      """)
  var output: String?

  @Flag(help: "Print an object a line as tests end, errors too.")
  var json = false

  @Option(help: "When to use colours: auto, always or never.")
  var color = ColorChoice.auto

  @Option(
    name: .customLong("Xoutput", withSingleDash: true), parsing: .unconditionalSingleValue,
    help: "Arguments of the report, split by commas.")
  var outputArguments: [String] = []

  @Option(help: "The language of the report.")
  var lang: String?

  @Flag(name: .shortAndLong, inversion: .prefixedNo, help: "Show the calls that led to an error.")
  var verbose: Bool?
  @Flag(inversion: .prefixedNo, help: "Leave pending tests out of the report.")
  var suppressPending: Bool?
  @Flag(inversion: .prefixedNo, help: "Print nothing before all tests have run.")
  var deferPrint: Bool?
  @Flag(
    name: [.customShort("s"), .long], inversion: .prefixedNo,
    help: "Say aloud at the end how it went.")
  var enableSound: Bool?

  @Flag(
    name: [.customShort("c"), .long], inversion: .prefixedNo,
    help: """
      Show which lines of the scripts under test have run, and write coverage/lcov.info and \
      coverage/report.txt.
      """)
  var coverage: Bool?
  @Option(
    help: "Read which files count from this file (default: .luacov).", completion: .file())
  var coverageConfigFile: String?

  func apply(to options: inout TestOptions) {
    if let output { options.output = output }
    if json { options.writesLines = true }
    if let isColored = color.forRenderer { options.hasColors = isColored }
    if !outputArguments.isEmpty {
      options.outputArguments = outputArguments.flatMap(\.commaParts)
    }
    if let lang { options.language = lang }
    if let verbose { options.isVerbose = verbose }
    if let suppressPending { options.suppressesPending = suppressPending }
    if let deferPrint { options.defersPrint = deferPrint }
    if let enableSound { options.hasSound = enableSound }
    if let coverage { options.measuresCoverage = coverage }
    if let coverageConfigFile { options.coverageConfiguration = coverageConfigFile }
  }
}
