import TideLua
import TideScript
import TideSystem

/// The file `.busted`: a table of runs; each run is a table of flags by long name.
///
/// ```lua
/// return {
///   _all = { lpath = "lua/?.lua" },
///   default = { ROOT = { "spec" } },
///   slow = { tags = "slow", verbose = true },
/// }
/// ```
///
/// `_all` applies to every run, `default` if no run is named. The command line overrides both.
package struct BustedConfiguration {
  package let file: String
  private let lua: LuaState
  private let runs: LuaTable

  /// Reads the given file, else `.busted` in the folder if it exists.
  ///
  /// - Parameter options: the options known so far, which decide whether the file runs in the
  ///   sandbox.
  package static func find(
    _ given: String?, in folder: String, _ options: TestOptions = TestOptions()
  ) throws -> BustedConfiguration? {
    if let given {
      guard access(given, F_OK) == 0 else {
        throw TestSetupError("the configuration file \(given) cannot be found")
      }
      return try BustedConfiguration(given, options)
    }
    let file = folder == "." ? ".busted" : folder + "/.busted"
    guard access(file, F_OK) == 0 else { return nil }
    if options.isSandboxed {
      try ProjectBounds(roots: [folder]).check(file, namedBy: "the project")
    }
    return try BustedConfiguration(file, options)
  }

  private init(_ file: String, _ options: TestOptions) throws {
    self.file = file
    do {
      lua = try ProjectInterpreter.make(options)
      let source = try SpecFile.read(file)
      let results = try lua.run(source.source, name: "@" + file)
      guard let table = results.first?.table else {
        throw TestSetupError("\(file) does not return a table")
      }
      runs = table
    } catch let error as SpecFile.Unreadable {
      throw TestSetupError(error.message)
    } catch let error as LuaError {
      throw TestSetupError("\(file) cannot be run: \(error)\(ProjectInterpreter.hint(options))")
    }
  }

  /// Applies the settings of a run; without a name, those of `default`.
  package func apply(to options: inout TestOptions, run: String?) throws {
    try apply("_all", to: &options)
    guard let run, !run.isEmpty else { return try apply("default", to: &options) }
    guard try runs.rawGet(.string(run)).table != nil else {
      throw TestSetupError("\(file) has no run \"\(run)\"", isUsage: true)
    }
    try apply(run, to: &options)
  }

  private func apply(_ run: String, to options: inout TestOptions) throws {
    guard let table = try runs.rawGet(.string(run)).table else { return }
    for (key, value) in try table.entries() {
      guard let name = key.string else { continue }
      do { try options.set(name, to: Setting(value)) } catch let problem as Setting.Problem {
        throw TestSetupError("\(file): \(run).\(name) is \(problem.what)")
      }
    }
  }

  /// A flag's value in the file.
  struct Setting {
    struct Problem: Error {
      let what: String
    }

    private let value: LuaValue

    init(_ value: LuaValue) { self.value = value }

    func flag() throws -> Bool {
      guard let flag = value.boolean else { throw problem("true or false") }
      return flag
    }

    func text() throws -> String {
      if let text = value.text { return text }
      if let number = value.integer { return "\(number)" }
      throw problem("a string")
    }

    /// An integer, or a string that contains one.
    func number() throws -> Int {
      if let number = value.integer { return number }
      if let number = value.text.flatMap({ Int($0) }) { return number }
      throw problem("a number")
    }

    /// A string or a list of strings.
    func texts() throws -> [String] {
      guard let table = value.table else { return [try text()] }
      return try table.sequence().map { try Setting($0).text() }
    }

    /// A string or a list of strings, each split at commas.
    func parts() throws -> [String] { try texts().flatMap(\.commaParts) }

    private func problem(_ expected: String) -> Problem {
      Problem(what: "\(value.preview), where \(expected) is expected")
    }
  }
}

extension TestOptions {
  /// Sets an option by a flag's long name. Ignores unknown names, as busted does, because the file
  /// may be shared with other programs.
  mutating func set(_ name: String, to setting: BustedConfiguration.Setting) throws {
    switch name {
    case "ROOT": setRoots(try setting.texts())
    case "pattern": patterns = try setting.texts()
    case "exclude-pattern": excludedPatterns = try setting.texts()
    case "recursive": isRecursive = try setting.flag()
    case "tags": tags = try setting.parts()
    case "exclude-tags": excludedTags = try setting.parts()
    case "filter": filters = try setting.texts()
    case "filter-out": excludedFilters = try setting.texts()
    case "list": listsOnly = try setting.flag()
    case "e": statements = try setting.texts()
    case "lpath": modulePath = try setting.text()
    case "cpath": nativePath = try setting.text()
    case "helper": helper = try setting.text()
    case "Xhelper": helperArguments = try setting.parts()
    case "repeat": repeats = max(1, try setting.number())
    case "retries": retries = max(0, try setting.number())
    case "failed-first": runsFailedFirst = try setting.flag()
    case "seed": seed = try setting.number()
    case "jobs": jobs = max(1, try setting.number())
    case "timeout": timeLimit = Double(max(1, try setting.number()))
    case "lazy": isLazy = try setting.flag()
    case "auto-insulate": insulatesFiles = try setting.flag()
    case "keep-going": keepsGoing = try setting.flag()
    case "sandbox": isSandboxed = try setting.flag()
    default: if try !setOrder(name, setting) { try setReport(name, setting) }
    }
  }

  private mutating func setOrder(
    _ name: String, _ setting: BustedConfiguration.Setting
  ) throws -> Bool {
    switch name {
    case "shuffle":
      shufflesFiles = try setting.flag()
      shufflesTests = shufflesFiles
    case "shuffle-files": shufflesFiles = try setting.flag()
    case "shuffle-tests": shufflesTests = try setting.flag()
    case "sort":
      sortsFiles = try setting.flag()
      sortsTests = sortsFiles
    case "sort-files": sortsFiles = try setting.flag()
    case "sort-tests": sortsTests = try setting.flag()
    default: return false
    }
    return true
  }

  private mutating func setReport(
    _ name: String, _ setting: BustedConfiguration.Setting
  ) throws {
    switch name {
    case "output": output = try setting.text()
    case "Xoutput": outputArguments = try setting.parts()
    case "lang": language = try setting.text()
    case "verbose": isVerbose = try setting.flag()
    case "suppress-pending": suppressesPending = try setting.flag()
    case "defer-print": defersPrint = try setting.flag()
    case "enable-sound": hasSound = try setting.flag()
    case "coverage": measuresCoverage = try setting.flag()
    case "coverage-config-file": coverageConfiguration = try setting.text()
    case "coverage-threshold": coverageThreshold = Double(try setting.number())
    case "slowest": slowest = max(0, try setting.number())
    default: break
    }
  }
}

extension String {
  /// The substrings between commas.
  package var commaParts: [String] {
    split(separator: ",").map(String.init)
  }
}
