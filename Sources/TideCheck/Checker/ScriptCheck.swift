import TideBindings
public import TideLua
package import TideScript
import TideSystem

/// Looks for mistakes in scripts without running them.
///
/// ```swift
/// let check = try ScriptCheck()
/// for file in try check.run(["app.lua", "lib"]) {
///   for problem in file.problems { print(problem.diagnostic.text()) }
/// }
/// ```
///
/// Scripts that require each other are one app: what one declares, the others may name. Files that
/// they require are read as well, and mistakes in them are not told unless they were asked for.
public struct ScriptCheck {
  /// A script that was asked for, and what is wrong with it.
  public struct File {
    /// The file, as it was given.
    public let path: String
    /// What was found in it, in the order of the lines.
    public let problems: [Problem]
  }

  /// Larger scripts are data: of them only the syntax is looked at.
  static let sizeLimit = 4 << 20
  /// How many files beside the ones asked for are looked at to find who requires those.
  static let neighbourLimit = 200
  /// How many scripts are read before those are left out that only a computed `require` may mean.
  static let scriptLimit = 1000

  /// The files of a project whose lists of globals are read.
  package static let settingsFiles = ProjectGlobals.fileNames

  let names: KnownNames
  /// The names that specs find; nil when the test runner's words are unknown.
  let specNames: KnownNames?
  let syntax: SyntaxCheck
  /// The globals that the projects of scripts list in their settings.
  let projectGlobals = ProjectGlobals()

  /// Makes a check for apps that may reach what is given.
  ///
  /// - Parameters:
  ///   - access: what the app will be allowed to reach.
  ///   - hostNames: globals that the program which runs the app adds, beside those that
  ///     `.luacheckrc` and `.luarc.json` of its folder list.
  ///   - specs: what the test runner adds in specs; without it they may name any global.
  /// - Throws: what keeps Lua from starting, such as a library of an unsupported release.
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
  /// What is wrong with a single file is among its problems. Of links that lead out of a folder no
  /// more is told than that, unless they are named themselves.
  ///
  /// - Throws: `scriptFile` for a path that cannot be opened, or a folder without Lua.
  public func run(_ paths: [String]) throws -> [File] { try run(paths, edited: [:]) }

  /// Checks files of which some are being edited: their texts replace what is on disk.
  package func run(_ paths: [String], edited: [String: String]) throws -> [File] {
    let workspace = EditedWorkspace(self)
    for (path, text) in edited { workspace.edit(path, text) }
    return try workspace.snapshot(of: paths).checkedFiles
  }

  /// Checks a text as if it were a script of that name, which requires nothing.
  package func check(_ text: String, path: String) -> [Problem] {
    var work = Workspace(names: names, syntax: syntax)
    switch work.add(text, path: path) {
    case .failed(let problem): return [problem]
    case .read(let index):
      let found = check(work.scripts[index], of: work.makeIndex(ofAppOf: index))
      // A text alone may be a part of a script, whose views are shown elsewhere.
      return found.filter { $0.error.code != .nothingShown && $0.error.code != .unusedLocal }
    }
  }

  /// The mistakes of a script, or its mistake of syntax alone.
  func check(_ script: Script, of app: AppIndex) -> [Problem] {
    script.failure.map { [$0] } ?? checker(script, of: app).check()
  }

  func checker(_ script: Script, of app: AppIndex) -> ScriptChecker {
    ScriptChecker(
      script, names: names(for: script), of: app, makesGlobals: script.isSpec && specNames == nil)
  }

  /// The names that a script finds without declaring them.
  func names(for script: Script) -> KnownNames {
    let known = script.isSpec ? specNames ?? names : names
    let listed = projectGlobals.names(for: script.source.path)
    return listed.isEmpty ? known : known.adding(listed)
  }
}

/// What a test runner adds to the names that its specs find.
///
/// ```swift
/// let check = try ScriptCheck(specs: .tidelock)     // with import TideTest
/// ```
///
/// Without a vocabulary a check takes every global of a spec for one of the runner's.
public struct SpecVocabulary: Sendable {
  /// The runner's own words, such as `describe`.
  public let words: [String]
  /// What specs may name beside these: the whole of Lua's library, and what older specs ask for.
  package let libraryWords: [String]
  /// The words' types, for editors.
  package let definitions: String
  /// The words that may follow `assert`.
  package let assertions: AssertionGrammar?
  /// The modules that the runner brings along.
  let modules: Set<String>

  /// - Parameters:
  ///   - definitions: as lua-language-server reads them.
  ///   - modules: those that the runner brings along.
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
