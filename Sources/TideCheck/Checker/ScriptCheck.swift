import TideBindings
public import TideLua
package import TideScript
import TideSystem

/// Checks scripts for mistakes without running them.
///
/// ```swift
/// let check = try ScriptCheck()
/// for file in try check.run(["app.lua", "lib"]) {
///   for problem in file.problems { print(problem.diagnostic.text()) }
/// }
/// ```
///
/// Scripts that require each other are one app: each may use what the others declare. Required
/// files are read as well, but mistakes in them are reported only if they were asked for.
public struct ScriptCheck {
  /// A script to check, with its problems.
  public struct File {
    /// The file, as it was given.
    public let path: String
    /// The problems of the script, sorted by line.
    public let problems: [Problem]
  }

  /// The most bytes of a script that is checked. Larger scripts are data, and only their syntax is
  /// checked.
  static let sizeLimit = 4 << 20
  /// The most additional files that are searched for scripts that require the given ones.
  static let neighbourLimit = 200
  /// The number of scripts beyond which those are skipped that only a computed `require` may load.
  static let scriptLimit = 1000

  /// The settings files of a project from which globals are read.
  package static let settingsFiles = ProjectGlobals.fileNames

  let names: KnownNames
  /// The names that specs can use; nil if the test runner's vocabulary is unknown.
  let specNames: KnownNames?
  let syntax: SyntaxCheck
  /// The globals that the projects of scripts list in their settings.
  let projectGlobals = ProjectGlobals()

  /// Creates a check for apps with the given access.
  ///
  /// - Parameters:
  ///   - access: what the app will be allowed to reach.
  ///   - hostNames: globals that the host program adds, beside those listed in `.luacheckrc` and
  ///     `.luarc.json` of the app's folder.
  ///   - specs: the test runner's names; without them specs may use any global.
  /// - Throws: an error if Lua cannot start, for instance because of a library of an unsupported
  ///   release.
  public init(
    access: LuaAccess = LuaAccess(), hostNames: [String] = [], specs: SpecVocabulary? = nil
  ) throws {
    try self.init(access: access, hostNames: hostNames, specs: specs, syntax: SyntaxCheck())
  }

  /// - Parameter sql: reads the SQL of scripts.
  package init(
    access: LuaAccess = LuaAccess(), hostNames: [String] = [], specs: SpecVocabulary? = nil,
    sql: (any SQLReader)?
  ) throws {
    try self.init(
      access: access, hostNames: hostNames, specs: specs, sql: sql, syntax: SyntaxCheck())
  }

  init(
    access: LuaAccess = LuaAccess(), hostNames: [String] = [], specs: SpecVocabulary? = nil,
    sql: (any SQLReader)? = nil, syntax: SyntaxCheck
  ) throws {
    var names = try KnownNames(access: access, hostNames: hostNames)
    names.queries = sql.map(QuerySchemas.init)
    names.runnerModules = specs?.modules ?? []
    self.names = names
    specNames = specs.map { names.forSpecs($0) }
    self.syntax = syntax
  }

  /// Checks files, and the Lua files in folders and below them.
  ///
  /// Errors of a single file are among its problems. Links that lead out of a folder are reported,
  /// but not followed unless their own paths are given.
  ///
  /// - Throws: `scriptFile` for a path that cannot be opened, or a folder without Lua.
  public func run(_ paths: [String]) throws -> [File] { try run(paths, edited: [:]) }

  /// Checks files of which some are being edited: their edited texts replace the files' content.
  package func run(_ paths: [String], edited: [String: String]) throws -> [File] {
    let workspace = EditedWorkspace(self)
    for (path, text) in edited { workspace.edit(path, text) }
    return try workspace.snapshot(of: paths).checkedFiles
  }

  /// Checks a text as a script with a given name. The modules that it requires are not read.
  package func check(_ text: String, path: String) -> [Problem] {
    var work = Workspace(names: names, syntax: syntax)
    switch work.add(text, path: path) {
    case .failed(let problem): return [problem]
    case .read(let index):
      let found = check(work.scripts[index], of: work.makeIndex(ofAppOf: index))
      // The text may be a part of a script whose views are shown elsewhere.
      return found.filter { $0.error.code != .nothingShown && $0.error.code != .unusedLocal }
    }
  }

  /// The problems of a script; only the syntax error if it has one.
  func check(_ script: Script, of app: AppIndex) -> [Problem] {
    script.failure.map { [$0] } ?? checker(script, of: app).check()
  }

  func checker(_ script: Script, of app: AppIndex) -> ScriptChecker {
    ScriptChecker(
      script, names: names(for: script), of: app, makesGlobals: script.isSpec && specNames == nil)
  }

  /// The names that a script can use without declaring them.
  func names(for script: Script) -> KnownNames {
    let known = script.isSpec ? specNames ?? names : names
    let listed = projectGlobals.names(for: script.source.path)
    return listed.isEmpty ? known : known.adding(listed)
  }
}

/// The names that a test runner makes available to its specs.
///
/// ```swift
/// let check = try ScriptCheck(specs: .tidelock)     // with import TideTest
/// ```
///
/// Without a vocabulary, a check assumes that every global of a spec belongs to the runner.
public struct SpecVocabulary: Sendable {
  /// The runner's own functions, such as `describe`.
  public let words: [String]
  /// Further names that specs can use: the whole of Lua's library, and names for older specs.
  package let libraryWords: [String]
  /// The types of the runner's functions, for editors.
  package let definitions: String
  /// The words that may follow `assert`.
  package let assertions: AssertionGrammar?
  /// The modules that the runner provides.
  let modules: Set<String>

  /// - Parameters:
  ///   - definitions: in the format of lua-language-server.
  ///   - modules: the modules that the runner provides.
  package init(
    words: [String], libraryWords: [String], definitions: String,
    assertions: AssertionGrammar? = nil, modules: [String] = []
  ) {
    self.words = words
    self.libraryWords = libraryWords
    self.definitions = definitions
    self.assertions = assertions
    self.modules = Set(modules)
  }
}
