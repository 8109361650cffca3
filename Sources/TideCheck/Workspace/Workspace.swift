import TideBindings
import TideScript
import TideSystem

/// The scripts that are checked together, and which of them belong to the same app.
struct Workspace {
  enum Outcome {
    case failed(Problem)
    case read(Int)
  }

  /// A module that a script requires and that is missing.
  struct MissingModule {
    let name: String
    /// The folder of the app.
    let home: String
    let offset: Int
  }

  private(set) var scripts: [Script] = []
  private let names: KnownNames
  private let reader: ScriptReader
  private let finder: ScriptFinder
  /// The texts of files that are being edited.
  private let texts: EditedTexts?
  /// By the files' real paths.
  private var known: [PathKey: Outcome] = [:]
  /// For each script, another script of its app or itself: the parents of a union-find forest.
  private var leaders: [Int] = []
  /// The folders of the apps to which each script belongs, as `run` would name them, and their real
  /// paths.
  private var homes: [[String]] = []
  private var followed: [Set<PathKey>] = []
  /// For modules that specs require, the folder from which the name is resolved.
  private var specHomes: [Int: String] = [:]
  /// The number of scripts among which all specs have been processed.
  private var specCursor = 0
  private var computed: [ComputedRequire] = []
  /// The folders that hold main scripts, by real path.
  private var mainFolders: Set<PathKey> = []
  /// The folders of the requested scripts, and their parent folders; nil if no other folders are
  /// searched.
  private var nearFolders: Set<PathKey>?
  /// The folders whose scripts all form one app, by real path, and the index of one of these
  /// scripts.
  private var joined: [PathKey: Int] = [:]
  /// The scripts that calls of `require` load.
  private(set) var modules: [ObjectIdentifier: Script] = [:]
  /// The missing modules that each script requires.
  private(set) var missingModules: [ObjectIdentifier: [MissingModule]] = [:]
  /// Specs that require missing modules, which may define globals.
  private var makesGlobals: Set<ObjectIdentifier> = []

  /// - Parameter texts: the texts that replace the contents of files.
  init(
    names: KnownNames, reader: ScriptReader, finder: ScriptFinder, texts: EditedTexts? = nil
  ) {
    self.names = names
    self.reader = reader
    self.finder = finder
    self.texts = texts
  }

  /// Creates a workspace that caches no scripts.
  init(names: KnownNames, syntax: SyntaxCheck) {
    let finder = ScriptFinder()
    let reader = ScriptReader(names: names, syntax: syntax, finder: finder)
    self.init(names: names, reader: reader, finder: finder)
  }

  // MARK: Reading

  /// Reads a file, unless it has already been read.
  mutating func add(_ path: String) -> Outcome {
    let identity = finder.identity(of: path)
    if let known = known[path: identity] { return known }
    let outcome = take(reader.script(at: path, identity: identity, text: texts?.text(of: identity)))
    known[path: identity] = outcome
    return outcome
  }

  /// Adds a text as a script with a given name.
  mutating func add(_ text: String, path: String) -> Outcome {
    take(reader.parse(text, path: path))
  }

  private mutating func take(_ outcome: ScriptReader.Outcome) -> Outcome {
    switch outcome {
    case .failed(let problem): return .failed(problem)
    case .script(let script):
      scripts.append(script)
      leaders.append(leaders.count)
      homes.append([])
      followed.append([])
      if script.symbols.role == .main, !script.isSpec {
        let folder = ScriptFiles.folder(of: script.source.path)
        mainFolders.insert(PathKey(finder.identity(of: folder)))
      }
      return .read(leaders.count - 1)
    }
  }

  /// The real paths of the files that have been read.
  var identities: some Sequence<PathKey> { known.keys }

  /// The problem for a link that is not followed.
  static func unfollowed(_ path: String, leaving folder: String) -> Problem {
    .unchecked(
      "the link leads out of the folder \(folder), where require refuses it as well; "
        + "it is not followed unless it is named itself", path)
  }

  // MARK: Apps

  /// Reads the modules that the scripts require.
  mutating func addRequired() { placeScripts() }

  /// Reads the modules that the scripts require, and the scripts that require the requested ones.
  mutating func addRelated() {
    joinSpecs()
    addNeighbours(of: scripts.count)
    placeScripts()
  }

  /// Reads the scripts that may be main scripts of the apps to which the first scripts belong. A
  /// main script is in its app's folder, so these are beside a module or in a folder above it.
  private mutating func addNeighbours(of asked: Int) {
    var folders: [(level: Int, path: String)] = []
    var seen: Set<PathKey> = []
    for script in scripts.prefix(asked) where !script.isSpec {
      for (level, folder) in finder.appFolders(of: script.source.path).enumerated() {
        // The folders above it have been seen as well.
        guard seen.insert(PathKey(finder.identity(of: folder))).inserted else { break }
        folders.append((level, folder))
      }
    }
    nearFolders = Set(
      folders.filter { $0.level < 2 }.map { PathKey(finder.identity(of: $0.path)) })
    var read = 0
    for level in 0...(folders.map(\.level).max() ?? 0) {
      for folder in folders where folder.level == level {
        for file in finder.scripts(in: folder.path) where read < ScriptCheck.neighbourLimit {
          guard known[path: finder.identity(of: file)] == nil else { continue }
          read += 1
          if finder.mayRequire(file) { _ = add(file) }
        }
      }
    }
  }

  /// Specs of one folder may share globals.
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

  // MARK: Folders of apps

  /// Finds the folder of each script's app, in which `run` looks for modules, and reads from there
  /// the modules that the script requires.
  ///
  /// Scripts in outer folders are placed first, because the modules that they require have the same
  /// app folder. A script that no other script requires is a main script, whose app folder is its
  /// own, or a module that is not required yet.
  private mutating func placeScripts() {
    followSpecs()
    for isLast in [false, true] {
      var next = 0
      var read = scripts.count
      var pool = unplacedScripts(isLast)
      while next < pool.count {
        let index = pool[next]
        next += 1
        guard homes[index].isEmpty else { continue }
        place(index)
        followSpecs()
        guard scripts.count > read else { continue }
        read = scripts.count
        (pool, next) = (unplacedScripts(isLast), 0)
      }
    }
  }

  /// The scripts without an app folder, in the order in which they are placed.
  ///
  /// - Parameter withSpecs: whether to include modules that so far only specs require.
  private func unplacedScripts(_ withSpecs: Bool) -> [Int] {
    func rank(_ script: Script) -> Int {
      if script.symbols.role == .main { return 0 }
      return script.symbols.requiresUnknown ? 1 : 2
    }
    let found = scripts.indices.filter { index in
      let script = scripts[index]
      return homes[index].isEmpty && !script.isSpec
        && (withSpecs || script.symbols.role == .main || specHomes[index] == nil)
    }
    let keys = found.map { index in
      let folder = ScriptFiles.folder(of: scripts[index].source.path)
      let real = PathKey(finder.identity(of: folder))
      return (real.path.utf8.count { $0 == UInt8(ascii: "/") }, real, rank(scripts[index]), index)
    }
    return keys.sorted { $0 < $1 }.map(\.3)
  }

  private mutating func place(_ index: Int) {
    let script = scripts[index]
    let folders = finder.appFolders(of: script.source.path)
    let own = folders.prefix(1)
    let above = folders.dropFirst()
    if let app = computedRequire(of: index) {
      join(app.index, index)
      return follow(index, from: likeliest(of: [app.home] + folders, for: script))
    }
    switch script.symbols.role {
    case .main: follow(index, from: likeliest(of: Array(own), for: script))
    case .module:
      let found = specHomes[index].map { [$0] } ?? []
      follow(index, from: likeliest(of: found + folders, for: script), forSpecs: !found.isEmpty)
    case .unknown:
      let found = specHomes[index].map { [$0] } ?? []
      let apps = above.filter {
        mainFolders.contains(PathKey(finder.identity(of: $0))) || finder.holdsMainScript($0)
      }
      follow(index, from: likeliest(of: found + own + apps, for: script), forSpecs: !found.isEmpty)
    }
  }

  /// The folder in which most of a script's required modules are found; the first of several.
  private func likeliest(of folders: [String], for script: Script) -> String {
    let names = script.symbols.requires.map(\.name).filter { !Self.isBuiltIn($0) }
    var best = (folder: folders.first ?? ".", count: -1)
    for folder in folders where best.count < names.count {
      let count = names.count { finder.module($0, in: folder) != nil }
      if count > best.count { best = (folder, count) }
    }
    return best.folder
  }

  /// Reads the modules that a script of an app requires, and joins them with the script.
  ///
  /// - Parameters:
  ///   - home: the app's folder.
  ///   - forSpecs: whether only specs lead to the script, so that the test runner loads it.
  private mutating func follow(_ first: Int, from home: String, forSpecs: Bool = false) {
    let key = PathKey(finder.identity(of: home))
    var queue = [first]
    while let index = queue.popLast() {
      guard followed[index].insert(key).inserted else { continue }
      homes[index].append(home)
      let script = scripts[index]
      var reached: [Int] = []
      for required in script.symbols.requires where !Self.isBuiltIn(required.name) {
        var file = finder.module(required.name, in: home)
        if file == nil, forSpecs {
          file = finder.module(required.name, requiredBySpec: script.source.path)?.file
        }
        guard let file else {
          noteMissing(required, script, home)
          continue
        }
        if case .read(let other) = add(file) {
          reached.append(other)
          let call = ObjectIdentifier(required.call)
          if modules[call] == nil { modules[call] = scripts[other] }
        }
      }
      for theme in script.symbols.themes {
        guard let file = finder.module("\(Runtime.themeFolder).\(theme)", in: home) else {
          continue
        }
        if case .read(let other) = add(file) { reached.append(other) }
      }
      for other in reached { join(index, other) }
      queue += reached.filter { !scripts[$0].isSpec }
      for prefix in script.symbols.computedRequires {
        note(ComputedRequire(index: index, home: home, folder: key, prefix: prefix))
      }
    }
  }

  /// Processes specs: reads the modules that they require and the apps that they show.
  private mutating func followSpecs() {
    while specCursor < scripts.count {
      let index = specCursor
      specCursor += 1
      if scripts[index].isSpec { followSpec(index) }
    }
  }

  private mutating func followSpec(_ index: Int) {
    let script = scripts[index]
    let path = script.source.path
    for required in script.symbols.requires where !Self.isBuiltIn(required.name) {
      guard let found = finder.module(required.name, requiredBySpec: path) else {
        let homes = ScriptFiles.homes(of: path)
        if let home = homes.first(where: { isMisspelt(required.name, in: $0) }) {
          noteMissing(required, script, home)
        } else {
          // The module may be anywhere that busted searches. Some such modules define globals.
          makesGlobals.insert(ObjectIdentifier(script))
        }
        continue
      }
      if case .read(let other) = add(found.file) {
        join(index, other)
        modules[ObjectIdentifier(required.call)] = scripts[other]
        if specHomes[other] == nil { specHomes[other] = found.home }
      }
    }
    for file in script.symbols.files {
      guard let shown = finder.app(file, shownBy: path) else { continue }
      if case .read(let other) = add(shown) { join(index, other) }
    }
    if script.symbols.requiresUnknown {
      joinAll(below: ScriptFiles.folder(of: path), with: index)
    }
  }

  /// Whether the name of a module that a spec requires is nearly that of a module of the app.
  private func isMisspelt(_ name: String, in home: String) -> Bool {
    guard !names.runnerModules.contains(name), !ScriptFiles.isInstalled(name),
      !finder.modulePath(in: home).hasOthers, let meant = NearestModule.find(name, in: home)
    else { return false }
    return NearestName.isSlip(name, for: meant)
  }

  // MARK: Computed names

  /// A call of `require` that computes the names of modules.
  private struct ComputedRequire {
    /// The script that contains the call.
    let index: Int
    /// The folder of the script's app, and its real path.
    let home: String
    let folder: PathKey
    /// The common beginning of the names.
    let prefix: String
    /// Whether it matches any module.
    var hasModules = false
  }

  /// Reads the modules that a computed name may refer to, and joins those of the same app with the
  /// calling script. The others are matched when they are placed.
  private mutating func note(_ required: ComputedRequire) {
    var required = required
    let same = computed.filter { $0.folder == required.folder && $0.prefix == required.prefix }
    if let first = same.first {
      // It matches the same modules as the first call. A script is never matched with itself, so a
      // second call is stored as well.
      if first.hasModules { join(required.index, first.index) }
      if same.count == 1 { computed.append(required) }
      return
    }
    defer { computed.append(required) }
    // A folder far above the requested modules contains more than one app.
    guard !required.prefix.isEmpty || nearFolders?.contains(required.folder) ?? true else { return }
    let inner = required.prefix.split(separator: ".", omittingEmptySubsequences: false).dropLast()
    let folder = inner.reduce(required.home) { SystemPath.joined($0, String($1)) }
    for file in (try? ScriptFiles.files(at: [folder])) ?? [] {
      let identity = finder.identity(of: file)
      guard known[path: identity] != nil || scripts.count < ScriptCheck.scriptLimit,
        Self.mayMean(identity, required), case .read(let other) = add(file)
      else { continue }
      if other != required.index { required.hasModules = true }
      if followed[other].contains(required.folder) { join(required.index, other) }
    }
  }

  /// The first call of `require` with a computed name that may refer to a script. A main script is
  /// an app of its own, unless the beginning of the name is known.
  private func computedRequire(of index: Int) -> ComputedRequire? {
    let identity = finder.identity(of: scripts[index].source.path)
    return computed.first { required in
      required.index != index && Self.mayMean(identity, required)
        && (scripts[index].symbols.role != .main || !required.prefix.isEmpty)
    }
  }

  private static func mayMean(_ file: String, _ required: ComputedRequire) -> Bool {
    ScriptFiles.moduleName(of: file, in: required.folder.path)?.utf8
      .starts(with: required.prefix.utf8) ?? false
  }

  private static func isBuiltIn(_ name: String) -> Bool {
    name == "tidelock" || Runtime.libraryNames.contains(name)
  }

  private mutating func noteMissing(
    _ required: (name: String, offset: Int, call: LuaExpression), _ script: Script, _ home: String
  ) {
    let key = ObjectIdentifier(script)
    if missingModules[key]?.contains(where: { $0.offset == required.offset }) == true { return }
    missingModules[key, default: []].append(
      MissingModule(name: required.name, home: home, offset: required.offset))
  }

  /// Joins a script with all scripts in and below a folder. Beyond the limit no further scripts are
  /// read, but those already read are still joined.
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

  /// The index of the app to which a script belongs.
  ///
  /// - Parameter union: merges the symbols, and caches what it can reuse.
  func makeIndex(ofAppOf index: Int, joinedBy union: SymbolUnion = SymbolUnion()) -> AppIndex {
    let leader = leader(of: index)
    let members = scripts.indices.filter { self.leader(of: $0) == leader }
    let own = members.map { scripts[$0] }
    return AppIndex(
      own, union.symbols(of: own), names: names, finder: finder, modules: modules,
      missingModules: missingModules,
      homes: Dictionary(
        uniqueKeysWithValues: members.map { (ObjectIdentifier(scripts[$0]), homes[$0]) }),
      makesGlobals: own.contains { makesGlobals.contains(ObjectIdentifier($0)) })
  }
}
