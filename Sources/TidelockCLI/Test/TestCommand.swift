import ArgumentParser
import TideBindings
import TideLua
import TideSystem
import TideTest

#if Store
  import TideStore
#endif

/// `tidelock test`: accepts all flags of busted, and some of its own.
struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Runs the tests of scripts.",
    discussion: """
      Specs of busted run as they are: files *_spec.lua below spec, test or tests. Each file runs in a \
      runtime of its own, files side by side; timers go by a virtual clock.

      What the project brings is trusted, as with busted: specs, .busted, .luacov and the files that \
      these name may do all that you may. Add --sandbox for a project that you do not trust.

      Examples:
        tidelock test
        tidelock test spec/fruit_spec.lua:12
        tidelock test --tags slow -o TAP
        tidelock test -j 1 --shuffle --seed 42
        tidelock test --failed
        tidelock test --watch
        tidelock test --coverage --coverage-threshold 80
        tidelock test --artifacts artifacts

      Exit codes: 0 all passed, 1 failures or errors, no test file was found, or the coverage is below its \
      threshold, 64 usage, 69 not confined as --confine required it.
      """,
    version: "\(SuiteRun.bustedVersion)")

  @Argument(
    help: "Spec files, with :LINE for the tests that stand there, and folders.",
    completion: .file(extensions: ["lua"]))
  var paths: [String] = []

  @Flag(
    name: .shortAndLong,
    help: "Stay, and run again what a saved file reaches; ? lists the keys, q ends.")
  var watch = false

  @OptionGroup(title: "Which tests") var choice: TestChoiceOptions
  @OptionGroup(title: "How they run") var way: TestRunOptions
  @OptionGroup(title: "What each file may take") var budgets: BudgetOptions
  @OptionGroup(title: "The report") var report: TestReportOptions

  func validate() throws {
    try budgets.refuseLimitsOfServing()
    let excluded = choice.excludeTags.flatMap(\.commaParts)
    if let tag = choice.tags.flatMap(\.commaParts).first(where: { excluded.contains($0) }) {
      throw ValidationError("the tag \(tag) is both asked for and excluded.")
    }
    if report.json, let output = report.output {
      throw ValidationError("--json and --output \(output) ask for two things.")
    }
    if let jobs = way.jobs, jobs < 1 { throw ValidationError("-j needs 1 or more.") }
    if let count = way.repeat, count < 1 { throw ValidationError("--repeat needs 1 or more.") }
    if let count = way.retries, count < 0 { throw ValidationError("--retries needs 0 or more.") }
    if let count = report.slowest, count < 1 { throw ValidationError("--slowest needs 1 or more.") }
    if let percent = report.coverageThreshold, !(0...100).contains(percent) {
      throw ValidationError("--coverage-threshold needs 0 to 100.")
    }
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
      let output = ReportOutput(options)
      let failures = options.listsOnly ? nil : LastFailures(ofProject: ".")
      let wall = try confine(options)
      defer { wall?.tidy() }
      if watch && !options.listsOnly {
        WorkingFolder.follow()
        return try TestWatch(options, output, failures).run()
      }
      let pass = TestPass(options: options, output: output, failures: failures)
      return try pass.run() ? .success : .errorsListed
    } catch let error as TideError where error.code == .confinement {
      TestMessages(isJSON: report.json).complain(error.message)
      return .unavailable
    } catch let error as TestSetupError {
      TestMessages(isJSON: report.json).complain(error.message)
      return error.isUsage ? .usage : .errorsListed
    } catch {
      TestMessages(isJSON: report.json).complain("\(error)")
      return .errorsListed
    }
  }

  /// Confines the process if specs run in the sandbox.
  private func confine(_ options: TestOptions) throws -> AppConfinement? {
    guard options.isSandboxed else {
      if way.confine == nil || way.confine == .off { return nil }
      throw TestSetupError("--confine is for specs in the sandbox: add --sandbox", isUsage: true)
    }
    let wall = AppConfinement(
      way.confine ?? .auto, file: nil, access: options.allowedAccess)
    try wall.serveTests(options)
    try wall.raise(nil)
    return wall
  }

  /// The options of `.busted`, overridden by those of the command line.
  private func makeOptions() throws -> TestOptions {
    var options = TestOptions()
    #if Store
      options.configure = { $0.addStores() }
    #endif
    options.jobs = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let folder = way.directory.reduce(".") { $1.hasPrefix("/") ? $1 : $0 + "/" + $1 }
    options.isSandboxed = way.sandbox
    options.allowedAccess = way.allowances.access
    if let timeout = way.timeout { options.timeLimit = timeout.seconds }
    budgets.apply(to: &options)
    let before = options
    let given = try BustedConfiguration.find(way.configFile, in: folder, options)
    try given?.apply(to: &options, run: way.run)
    if let given, !options.isSandboxed {
      let names = options.trustedParts(since: before)
      if !names.isEmpty {
        TestMessages(isJSON: report.json).notice(
          "trusting \(given.file), which sets \(names.joined(separator: ", "))")
      }
    }
    if given == nil, let run = way.run {
      throw TestSetupError(
        "there is no run \(run), because there is no file .busted", isUsage: true)
    }
    guard chdir(folder) == 0 else {
      throw TestSetupError("\(folder): \(String(cString: strerror(errno)))")
    }
    if way.sandbox, let given { try options.checkConfinement(of: given.file, since: before) }
    choice.apply(to: &options)
    way.apply(to: &options)
    try report.apply(to: &options)
    if !paths.isEmpty { options.setRoots(paths) }
    if !way.allowances.isEmpty && !options.isSandboxed {
      throw TestSetupError(
        "--allow is for specs in the sandbox: add --sandbox", isUsage: true)
    }
    options.arguments = Array(CommandLine.arguments.dropFirst(2))
    return options
  }
}
