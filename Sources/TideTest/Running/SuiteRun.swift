import TideGraph
import TideLua
import TideScript
import TideValues

/// A run of specs: finds the files, runs them, and passes events to the report.
///
/// ```swift
/// let made = try SpecReports.make(options, writer, isTerminal: false) { print($0) }
/// let isGood = try SuiteRun(options, reporting: made.report).run()
/// ```
///
/// Files run in parallel on separate threads. The report receives the events in the order of the
/// files; those of the current file immediately.
package final class SuiteRun {
  private(set) var options: TestOptions
  private let report: any SpecReport
  private var problems = 0
  private var hasFailedFast = false
  private var isStopped: Bool { hasFailedFast || options.stop?.isRequested == true }
  private var outcome = FailedTests.Outcome()
  private var durations: [SpecNode] = []
  /// Messages to show besides the report, in order.
  package private(set) var notices: [String] = []

  package init(_ options: TestOptions, reporting report: any SpecReport) {
    var options = options
    if options.measuresCoverage && !options.listsOnly { options.coverage = CoverageRecord() }
    self.options = options
    self.report = report
  }

  /// The spec files of the run.
  package private(set) var specFiles: [String] = []

  /// The spec files that a run would execute, and the searched folders.
  package static func find(
    _ options: TestOptions
  ) throws -> (files: [String], folders: [String]) {
    var finder = try SpecFinder(options)
    let files = finder.files()
    return (files, finder.folders)
  }

  /// The spec files whose paths match a Lua pattern.
  package static func files(_ files: [String], matching pattern: String) throws -> [String] {
    let matcher = try PatternMatcher()
    let found = files.filter { matcher.matches($0, pattern) }
    if let problem = matcher.problems.first { throw TestSetupError(problem) }
    return found
  }

  /// The coverage report; nil if coverage is off.
  package func coverageReport() throws -> CoverageReport? {
    guard let coverage = options.coverage else { return nil }
    return try CoverageReport(coverage, options, specs: specFiles)
  }

  /// The tests that failed, in this run or in the previous run that included them.
  package var failedTests: FailedTests {
    var tests = options.lastFailed
    let isPartial = options.isFiltering || !options.lines.isEmpty || isStopped
    outcome.update(&tests, isPartial: isPartial)
    return tests
  }

  /// The slowest tests, slowest first, up to the requested number.
  package var slowestTests: [SpecNode] {
    let sorted = durations.sorted { $0.duration ?? 0 > $1.duration ?? 0 }
    return Array(sorted.prefix(options.slowest))
  }

  /// The version of busted whose specs run unchanged.
  package static let bustedVersion = "2.1.1"

  /// Runs all files. Returns whether everything succeeded.
  package func run() throws -> Bool {
    try checkPreludes()
    let lua = try LuaState()
    var finder = try SpecFinder(options)
    let names = chosen(finder.files())
    specFiles = names
    for problem in finder.problems {
      take(.problem(SpecNode(id: 0, descriptor: "", fullName: ""), .error(problem)))
    }
    noteUnused()
    let files = load(names, lua)
    if !options.listsOnly { options.artifacts?.clear() }
    let seed = options.seed ?? Int(UInt32.random(in: 0...UInt32.max))
    for number in 1...max(1, options.repeats) where !isStopped {
      try run(files, lua, number, seed: number == 1 ? seed : options.seed ?? seed &+ number)
    }
    if !options.listsOnly && !options.runsOnlyFailed && !isStopped {
      notices += ObsoleteSnapshots.tell(of: finder.folders, removing: options.updatesSnapshots)
    }
    take(.exit)
    return problems == 0
  }

  /// The files with failed tests only, or those files first, depending on the options.
  private func chosen(_ files: [String]) -> [String] {
    guard options.runsOnlyFailed || options.runsFailedFirst else { return files }
    let failed = files.filter { options.lastFailed.files.contains($0) }
    if !options.runsOnlyFailed { return failed + files.filter { !failed.contains($0) } }
    if !failed.isEmpty { return failed }
    notices.append("no test failed in the last run, so all of them run")
    options.runsOnlyFailed = false
    return files
  }

  /// Adds notices for flags without effect in the sandbox.
  private func noteUnused() {
    guard options.isSandboxed else { return }
    if options.nativePath != TestOptions.defaultNativePath {
      notices.append("--cpath is ignored: the sandbox loads no native modules")
    }
    if options.modulePath != TestOptions.defaultModulePath {
      notices.append(
        "--lpath is ignored for specs: in the sandbox they require modules from their own folder")
    }
  }

  /// Runs `-e` and `--helper` once in advance; if they fail, no test can run.
  private func checkPreludes() throws {
    if options.statements.isEmpty && (options.helper ?? "").isEmpty { return }
    var options = options
    options.coverage = nil
    options.artifacts = nil
    let specs = try SpecRuntime(
      options, file: options.helper ?? "=(command line)", wantsTraces: false)
    do { try specs.runPreludes() } catch {
      let reason = (error as? SpecFile.Unreadable)?.message ?? Self.describe(error)
      let what = options.helper.map { "the helper \($0)" } ?? "a statement of -e"
      throw TestSetupError("\(what) failed: \(reason)")
    }
  }

  /// The error's text, without a location in the runner's own code.
  private static func describe(_ error: any Error) -> String {
    guard let error = error as? LuaError, let location = error.location,
      EmbeddedSource.isEmbedded(location.chunk)
    else { return "\(error)" }
    return error.message
  }

  /// Reads the files. Syntax errors are reported before anything runs.
  private func load(_ names: [String], _ lua: LuaState) -> [SpecFile] {
    let bounds = options.bounds
    return names.compactMap { name in
      do {
        if let bounds, !bounds.contains(name), !options.roots.contains(name) {
          let text = "cannot read \(name): it leads out of the project, which --sandbox keeps to"
          throw SpecFile.Unreadable(message: text)
        }
        let file = try SpecFile.read(name)
        _ = try lua.load(file.bytes, name: "@" + name)
        if let line = options.lines[name]?.first(where: { !(1...file.lineCount).contains($0) }) {
          let text = "there is no line \(line) in \(name): it has \(file.lineCount)"
          throw SpecFile.Unreadable(message: text)
        }
        return file
      } catch {
        let message = (error as? SpecFile.Unreadable)?.message
        var problem = message.map { .error($0) } ?? SpecProblem(name, error)
        problem.source = sourceLine(of: problem, in: name)
        take(
          .problem(SpecNode(id: 0, descriptor: "file", name: name, fullName: name), problem))
        return nil
      }
    }
  }

  /// The source line of a syntax error. Nil if the message names another file, because a file's
  /// name may look like a location.
  private func sourceLine(of problem: SpecProblem, in name: String) -> SourceLine? {
    guard let location = problem.message.flatMap({ SourceLine.Location(of: $0) }),
      location.file == name, let file = try? SpecFile.read(name)
    else { return nil }
    return SourceLine(location, in: file.source)
  }

  private func run(_ files: [SpecFile], _ lua: LuaState, _ number: Int, seed: Int) throws {
    var files = files
    if options.sortsFiles {
      files.sort { $0.name < $1.name }
    } else if options.shufflesFiles {
      files = try Shuffle.order(files.count, by: seed, lua).map { files[$0] }
    }
    let start = Seconds.monotonic
    if options.listsOnly { return runGroups(of: files, seed: seed) }
    take(
      .suiteStart(
        SuiteStart(
          number: number, total: options.repeats, seed: options.shufflesTests ? seed : nil,
          time: Seconds.sinceEpoch)))
    runGroups(of: files, seed: seed)
    take(.suiteEnd(duration: Seconds.monotonic - start))
  }

  private func runGroups(of files: [SpecFile], seed: Int) {
    let groups = SpecGroup.groups(of: files, options)
    if options.jobs > 1 && groups.count > 1 && options.keepsGoing {
      SpecWorkerPool(groups, files.count, options, wantsTraces: report.wantsTraces, seed: seed)
        .run { [unowned self] in take($0) }
      return
    }
    let runs = groups.map { group in
      SpecGroupRun(group, options, wantsTraces: report.wantsTraces, seed: seed) {
        [unowned self] in take($1)
      }
    }
    // In the order of the files, regardless of their groups.
    let order = groups.indices.flatMap { index in groups[index].files.map { ($0.index, index) } }
    for (_, index) in order.sorted(by: { $0.0 < $1.0 }) where !isStopped {
      runs[index].runNext()
      hasFailedFast = runs[index].isStopped
    }
  }

  private func take(_ event: SpecEvent) {
    if options.stop?.isRequested == true { return }
    outcome.take(event)
    if options.slowest > 0, case .testEnd(let node, _) = event { durations.append(node) }
    switch event {
    case .problem(let node, let problem)
    where problem.status == .error || (problem.status == .failure && node.isTest):
      problems += 1
    case .notice(let text):
      notices.append(text)
      return
    default: break
    }
    report.take(event)
  }
}

extension SpecProblem {
  static func error(_ message: String) -> SpecProblem {
    SpecProblem(status: .error, message: message)
  }
}

/// Shuffles items outside of Lua, such as files, with the runner's Lua function, so that a seed
/// gives the same order everywhere.
enum Shuffle {
  static func order(_ count: Int, by seed: Int, _ lua: LuaState) throws -> [Int] {
    guard count > 1, let source = EmbeddedSource.all["tidelock.test.order"] else {
      return Array(0..<count)
    }
    let words = try lua.table()
    try source.load(in: lua).call([.table(words)])
    let shuffled = try words.rawGet("shuffled").function
    let order = try shuffled?.call([.integer(count), .integer(seed)]) ?? []
    return order.compactMap { $0.integer.map { $0 - 1 } }
  }
}

/// Records the files that each spec file has loaded, so that a watcher knows which specs a change
/// affects.
package final class FileTrail: Sendable {
  private let loaded = Guarded<[String: Set<String>]>([:])

  package init() {}

  /// Replaces the files recorded for a spec.
  func set(_ files: Set<String>, of spec: String) { loaded.withLock { $0[spec] = files } }

  /// All loaded files except the specs themselves.
  package var files: Set<String> {
    loaded.withLock { loaded in loaded.values.reduce(into: []) { $0.formUnion($1) } }
  }

  /// The spec files that are among the given files or have loaded one of them.
  package func specs(reachedBy files: Set<String>) -> Set<String> {
    loaded.withLock { loaded in
      Set(loaded.filter { files.contains($0.key) || !$0.value.isDisjoint(with: files) }.keys)
    }
  }
}
