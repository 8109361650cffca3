import TideBindings
import TideScript
import TideSystem

/// The scripts that are checked together, and which of them belong to the same app.
struct Workspace {
  enum Outcome {
    case failed(Problem)
    case read(Int)
  }

  /// A module that a script requires and that cannot be found.
  struct MissingModule {
    let name: String
    let stem: String
    let offset: Int
  }

  private(set) var scripts: [Script] = []
  private let names: KnownNames
  private let reader: ScriptReader
  private let finder: ScriptFinder
  /// The texts of files that are being edited, by their real paths.
  private let edited: [PathKey: String]
  /// By the files' real paths.
  private var known: [PathKey: Outcome] = [:]
  /// For each script, another one of its app or itself: the parents of a union-find forest.
  private var leaders: [Int] = []
  /// The folders whose scripts all form one app, by real path, and the index of one of them.
  private var joined: [PathKey: Int] = [:]
  /// The scripts that calls of `require` ask for.
  private(set) var modules: [ObjectIdentifier: Script] = [:]
  /// The modules that each script requires and that cannot be found.
  private(set) var missingModules: [ObjectIdentifier: [MissingModule]] = [:]
  /// Specs that require modules which cannot be found and may make globals.
  private var makesGlobals: Set<ObjectIdentifier> = []

  /// - Parameter edited: texts that replace the contents of files, by real path.
  init(
    names: KnownNames, reader: ScriptReader, finder: ScriptFinder, edited: [PathKey: String] = [:]
  ) {
    self.names = names
    self.reader = reader
    self.finder = finder
    self.edited = edited
  }

  /// Reads each script anew.
  init(names: KnownNames, syntax: SyntaxCheck) {
    let finder = ScriptFinder()
    let reader = ScriptReader(names: names, syntax: syntax, finder: finder)
    self.init(names: names, reader: reader, finder: finder)
  }

  // MARK: Reading

  /// Reads a file, unless it has been read.
  mutating func add(_ path: String) -> Outcome {
    let identity = finder.identity(of: path)
    if let known = known[path: identity] { return known }
    let outcome = take(reader.script(at: path, identity: identity, text: edited[path: identity]))
    known[path: identity] = outcome
    return outcome
  }

  /// Takes a text as if it were a script of that name.
  mutating func add(_ text: String, path: String) -> Outcome {
    take(reader.parse(text, path: path))
  }

  private mutating func take(_ outcome: ScriptReader.Outcome) -> Outcome {
    switch outcome {
    case .failed(let problem): return .failed(problem)
    case .script(let script):
      scripts.append(script)
      leaders.append(leaders.count)
      return .read(leaders.count - 1)
    }
  }

  /// The real paths of the files that have been read.
  var identities: some Sequence<PathKey> { known.keys }

  /// The message about a link that is not followed.
  static func unfollowed(_ path: String, leaving folder: String) -> Problem {
    .unchecked(
      "the link leads out of the folder \(folder), where require refuses it as well; "
        + "it is not followed unless it is named itself", path)
  }

  // MARK: Apps

  /// Reads what the scripts require.
  mutating func addRequired() { follow(from: 0) }

  /// Reads what the scripts require, and the scripts that require those that were asked for.
  mutating func addRelated() {
    let asked = scripts.count
    follow(from: 0)
    joinSpecs()
    var folders: Set<PathKey> = []
    var read = 0
    for script in scripts.prefix(asked) where !script.isSpec {
      for folder in ScriptFiles.homes(of: script.source.path).prefix(2) {
        guard folders.insert(PathKey(folder)).inserted else { continue }
        for file in finder.scripts(in: folder) where read < ScriptCheck.neighbourLimit {
          read += 1
          let identity = finder.identity(of: file)
          guard known[path: identity] == nil, reader.mayRequire(file, identity: identity) else {
            continue
          }
          let before = scripts.count
          _ = add(file)
          if scripts.count > before { follow(from: before) }
        }
      }
    }
  }

  /// Specs of one folder may expose things to each other.
  private mutating func joinSpecs() {
    var first: [PathKey: Int] = [:]
    for (index, script) in scripts.enumerated() where script.isSpec {
      let folder = ScriptFiles.folder(of: script.source.path)
      if let other = first[path: folder] {
        join(other, index)
      } else {
        first[path: folder] = index
      }
    }
  }

  /// Reads what scripts require, from one on, and joins them with it.
  private mutating func follow(from first: Int) {
    var index = first
    while index < scripts.count {
      let script = scripts[index]
      let path = script.source.path
      for required in script.symbols.requires where !Self.isBuiltIn(required.name) {
        guard let file = finder.module(required.name, requiredBy: path) else {
          noteMissing(required, script)
          continue
        }
        if case .read(let other) = add(file) {
          join(index, other)
          modules[ObjectIdentifier(required.call)] = scripts[other]
        }
      }
      for theme in script.symbols.themes {
        let module = "\(Runtime.themeFolder).\(theme)"
        guard let file = finder.module(module, requiredBy: path) else { continue }
        if case .read(let other) = add(file) { join(index, other) }
      }
      if script.isSpec {
        for file in script.symbols.files {
          guard let shown = finder.app(file, shownBy: path) else { continue }
          if case .read(let other) = add(shown) { join(index, other) }
        }
      }
      if script.symbols.requiresUnknown {
        joinAll(below: ScriptFiles.folder(of: path), with: index)
      }
      index += 1
    }
  }

  private static func isBuiltIn(_ name: String) -> Bool {
    name == "tidelock" || Runtime.libraryNames.contains(name)
  }

  /// Notes a module that cannot be found. For a spec it may be anywhere that busted looks.
  private mutating func noteMissing(
    _ required: (name: String, offset: Int, call: LuaExpression), _ script: Script
  ) {
    if script.isSpec {
      // Some such modules make globals.
      makesGlobals.insert(ObjectIdentifier(script))
      return
    }
    let parts = required.name.split(separator: ".", omittingEmptySubsequences: false)
    let stem = SystemPath.joined(
      ScriptFiles.folder(of: script.source.path), parts.joined(separator: "/"))
    missingModules[ObjectIdentifier(script), default: []].append(
      MissingModule(name: required.name, stem: stem, offset: required.offset))
  }

  /// Joins a script with all scripts in and below a folder. Past the limit no more are read, but
  /// those that have been read are still joined.
  private mutating func joinAll(below folder: String, with index: Int) {
    let identity = finder.identity(of: folder)
    if let other = joined[path: identity] { return join(index, other) }
    joined[path: identity] = index
    for file in (try? ScriptFiles.files(at: [folder])) ?? [] {
      let isKnown = known[path: finder.identity(of: file)] != nil
      guard isKnown || scripts.count < ScriptCheck.scriptLimit else { continue }
      if case .read(let other) = add(file) { join(index, other) }
    }
  }

  private mutating func join(_ first: Int, _ second: Int) {
    let (one, other) = (leader(of: first), leader(of: second))
    leaders[max(one, other)] = min(one, other)
  }

  func leader(of index: Int) -> Int {
    var index = index
    while leaders[index] != index { index = leaders[index] }
    return index
  }

  /// What is known about the app that a script belongs to.
  ///
  /// - Parameter union: joins the symbols, and keeps what it can use the next time.
  func makeIndex(ofAppOf index: Int, joinedBy union: SymbolUnion = SymbolUnion()) -> AppIndex {
    let leader = leader(of: index)
    let own = scripts.indices.filter { self.leader(of: $0) == leader }.map { scripts[$0] }
    return AppIndex(
      own, union.symbols(of: own), names: names, finder: finder, modules: modules,
      missingModules: missingModules,
      makesGlobals: own.contains { makesGlobals.contains(ObjectIdentifier($0)) })
  }
}
