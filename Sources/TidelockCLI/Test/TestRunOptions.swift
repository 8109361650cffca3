import ArgumentParser
import TideTest

/// Flags for running tests.
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

  @Option(
    help: """
      Try a test that fails so many times more (default: 0); one that then passes is told of as flaky.
      """)
  var retries: Int?

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
  @Flag(
    help: """
      Keep all that the project brings in the sandbox that apps run in: specs, .busted, .luacov, \
      helpers, reports, modules. They then reach files, programs and servers only as --allow says, and \
      the kernel holds them to that (--confine). Without it they are trusted. Databases are in memory \
      with it and without it.
      """)
  var sandbox = false
  @Option(
    name: .customLong("allow"),
    help: "What the sandbox lets them reach: \(Allowance.forms).",
    transform: Allowance.init)
  var allowances: [Allowance] = []
  @Option(help: ConfineChoice.testHelp)
  var confine: ConfineChoice?

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
    if let retries { options.retries = retries }
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
    options.allowedAccess = allowances.access
    if update { options.updatesSnapshots = true }
  }
}
