import TideBindings
package import TideGraph
package import TideLua
package import TideSystem

/// The modules that an app has loaded, the search path for others, and the current reload.
package final class ModuleLoader {
  /// The contexts of the modules own everything that the app's scripts make.
  package var modules: ModuleTable
  /// The libraries that `require` finds without a file: those of Lua that scripts may use.
  var libraries: [String: LuaTable] = [:]
  /// The searchers for modules that are not files.
  var searchers = ModuleSearchers()
  /// Files that a failed version tried to load: fixing one of them may help.
  package var triedPaths: [String] = []
  /// The folder that modules are looked for in; nil for the main script's.
  package var folder: String?
  /// The main script's text; nil if it is a file.
  fileprivate let mainText: String?
  /// Whether the main script has finished.
  package var hasFinished = false
  /// Whether the first version is being run.
  package var isStarting = false
  /// The current reload; nil outside of one.
  package var rollback: Rollback?
  /// Saves and restores the contents of tables for a rollback.
  let tables: TableKeeper
  /// A cache of the paths to watch, with the values it depends on.
  private var watched: (folder: String?, modules: [String], tried: [String], paths: [String]) =
    (nil, [], [], [])
  /// Called after the app has read files, which may not be watched yet, with the time at which
  /// reading began.
  package var onRead = NumberedList<(SaveTime) -> Void>()
  private var isReadNoted = false
  /// Receives reload reports.
  package var audience: AnyObject?

  init(_ lua: LuaState, main: ScriptSource, in table: BindingTable) throws {
    switch main {
    case .file(let path): modules = ModuleTable(main: Module("", path: path, in: table))
    case .text(_, let name, let folder):
      let path = Runtime.path(ofGiven: name)
      modules = ModuleTable(main: Module("", path: path, isGiven: true, in: table))
      self.folder = folder ?? Self.nowhere
    }
    mainText = main.text
    tables = try TableKeeper(lua)
  }

  /// A path that contains no files, for an app without a folder.
  private static let nowhere = "/dev/null"

  /// Whether the app has no folder, so that no file belongs to it.
  var hasNoFolder: Bool { folder == Self.nowhere }

  /// Makes a new version of the main script, with an empty context.
  func makeMain(in table: BindingTable, former: Module? = nil) -> Module {
    let main = modules.main
    return Module("", path: main.path, isGiven: main.isGiven, in: table, former: former)
  }

  /// Calls `onRead` in the loop's next turn, once for all files that are read until then.
  func noteRead(in loop: EventLoop) {
    if onRead.isEmpty || isReadNoted { return }
    isReadNoted = true
    let start = SaveTime.now
    loop.after(0, keepsRunning: false) { [weak self] in
      guard let self else { return }
      isReadNoted = false
      for tell in onRead { tell(start) }
    }
  }

  /// The paths to watch, from a function that is called only when the modules' paths have changed.
  /// An app with a thousand modules is asked after each save.
  func watchedPaths(_ make: () -> [String]) -> [String] {
    let paths = modules.paths
    if watched.modules != paths || watched.tried != triedPaths || watched.folder != folder
      || watched.paths.isEmpty
    {
      watched = (folder, paths, triedPaths, make())
    }
    return watched.paths
  }
}

extension Runtime {
  /// Whether the main script has been run and was not discarded after a failure.
  package var hasBegun: Bool { modules.main.hasRun }

  /// Starts a new version of the main script beside the paused one.
  package func startMainAnew() {
    modules[""] = loader.makeMain(in: table, former: modules.main)
  }

  func installModules() throws {
    try installHot()
    try trackGlobals()
    try define(.require) { [unowned self] call in
      let (value, file) = try require(call.name(0, "a module's name"))
      call.return(value)
      if let file { call.return(.string(file)) }
    }
    let arguments = configuration.arguments.map { LuaValue.string($0) }
    let table = try lua.table(arguments)
    try table.rawSet(0, .string(path))
    let isOpen = configuration.lua.capabilities.contains(.patching)
    try publish("arg", .table(isOpen ? table : table.sealed(as: "arg")))
    api.sealed = try api.table.sealed(as: "tidelock")
    try lua.globals.rawSet("tidelock", .table(api.sealed))
    loader.libraries["tidelock"] = api.sealed
    for name in Self.libraryNames {
      loader.libraries[name] = try lua.globals.rawGet(.string(name)).table
    }
  }

  /// The names of the API for scripts.
  package var apiNames: Set<String> {
    get throws { Set(try lua.names(in: api.sealed)) }
  }

  /// The Lua libraries that `require` returns by name, as in Lua. Restricted libraries throw when
  /// they are used.
  package static let libraryNames: Set = [
    "_G", "coroutine", "debug", "io", "math", "os", "string", "table", "utf8",
  ]

  /// In bytes; no path is longer.
  private static let longestModuleName = 4096
  /// The most names of modules and files that are recorded for watching, since a script may ask for
  /// any number.
  private static let mostNoted = 10_000

  private func note(tried file: String) {
    if loader.triedPaths.count < Self.mostNoted { loader.triedPaths.append(file) }
  }

  /// Removes a library from `require`, for a host that has opened it only for itself.
  package func withhold(library name: String) { loader.libraries[name] = nil }

  /// The folder that `require` searches.
  var folder: String {
    if let folder = loader.folder { return folder }
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// The prefix of the modules' file paths: the folder of the main script's path.
  private var pathPrefix: String {
    if loader.folder == nil, !path.contains("/") { return "" }
    return folder + "/"
  }

  /// The running module: the one whose file contains the calling function, or else the one that the
  /// open context belongs to.
  package var runningModule: Module? {
    guard let location else { return modules.module(of: context) }
    // Text that the host evaluates runs in the main script's context, but does not belong to it.
    if location.file == Self.evaluated { return nil }
    return loader.modules.module(atPath: location.file) ?? loader.modules.module(of: context)
  }

  /// Returns a module's value, and runs its file the first time. As in Lua, the file's path is
  /// returned only then.
  func require(_ name: String) throws -> (value: LuaValue, file: String?) {
    if let library = loader.libraries[name] { return (.table(library), nil) }
    guard name.utf8.count <= Self.longestModuleName else {
      throw TideError(
        .module,
        "a module's name has at most \(Self.longestModuleName) bytes, and this one has "
          + "\(name.utf8.count)")
    }
    if let module = runningModule, module.required.count < Self.mostNoted {
      module.required.insert(name)
    }
    if !name.isEmpty, let known = loader.modules[name] {
      if known.isLoading {
        throw TideError(.module, "\"\(name)\" requires itself, by way of what it requires")
      }
      // A new version that needs a missing file would not start again.
      if let rollback = loader.rollback, !known.isGiven, !rollback.canRead(known.path) {
        _ = try find(module: name)
      }
      return (known.value, nil)
    }
    let module = try load(module: name)
    return (module.value, module.path)
  }

  /// Runs a module's file, or what a searcher returns instead. During a reload, the former
  /// version's table is updated in place and stays the module's value.
  @discardableResult
  package func load(module name: String) throws -> Module {
    try requirePlain(name)
    let given = try given(module: name)
    let path = try given == nil ? find(module: name) : Self.path(ofGiven: name)
    let module = Module(
      name, path: path, isGiven: given != nil, in: table, former: loader.rollback?.former[name])
    modules[name] = module
    do {
      let arguments = [LuaValue.string(name), .string(path)]
      let value = try graph.measured(Profile.Name(.module, name, at: path)) {
        try table.with(module.context) {
          try perform {
            if let given { return try run(given, module, arguments) }
            return try runFile(path, arguments).first ?? .nil
          }
        }
      }
      module.value = value.isNil ? .boolean(true) : value
      try mergeTable(of: module)
      module.isLoading = false
      module.hasRun = true
      try themeLoaded(module)
      return module
    } catch {
      modules[name] = nil
      forget(module)
      throw located(error)
    }
  }

  /// Ends everything that a module has made, and drops its declarations.
  package func forget(_ module: Module) {
    table.withoutRestoring { module.context.removeAll() }
    for name in module.models.keys { models.unclaim(name, by: module) }
    for name in module.components where modules.all.allSatisfy({ !$0.components.contains(name) }) {
      views.components[name] = nil
    }
    removeGlobals(of: module)
  }

  /// References to the former version's table see the new version in it.
  private func mergeTable(of module: Module) throws {
    guard case .table(let held)? = module.former?.value, case .table(let new) = module.value,
      held != new
    else { return }
    if let rollback = loader.rollback { try rollback.keep(loader.tables.keep(held, isDeep: false)) }
    try perform { try held.adopt(new, from: "@" + module.path) }
    module.value = .table(held)
  }

  /// Adds the location to a module's error, so that a script that catches the error sees it.
  private func located(_ error: any Error) -> any Error {
    guard let error = error as? TideError, let location = error.location,
      !(error.cause is ExitRequest)
    else { return error }
    return LuaError(
      .host, error.message, at: LuaLocation(chunk: location.file, line: location.line),
      traceback: error.traceback ?? "", cause: error)
  }

  /// Throws for an invalid module name.
  private func requirePlain(_ name: String) throws {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && !part.contains("/") && !part.contains("\0")
    }
    guard isPlain else {
      throw TideError(
        .module, "invalid module name \"\(name)\"; write dir.name, from the app's folder")
    }
  }

  private func find(module name: String) throws -> String {
    try requirePlain(name)
    if let file = file(ofModule: name) { return file }
    let candidates = candidates(ofModule: name)
    if !loader.hasNoFolder {
      // Watched, because the missing file may be created soon.
      for candidate in candidates { note(tried: candidate) }
      loader.noteRead(in: loop)
    }
    let first = name.prefix { $0 != "." }
    var hint = configuration.moduleHints[String(first)].map { "; " + $0 } ?? ""
    if Self.libraryNames.contains(name) || name == "package" {
      hint = "; the sandbox has no library of that name"
    }
    if hint.isEmpty, !loader.hasNoFolder { hint = NearestModule.hint(for: name, in: folder) }
    let asked = loader.searchers.all.isEmpty ? "" : "no searcher knows it, and "
    if loader.hasNoFolder, hint.isEmpty {
      throw TideError(
        .module,
        "there is no module \"\(name)\": \(asked)the app is a text without a folder; register a "
          + "searcher for its modules, or make the runtime with a folder")
    }
    throw TideError(
      .module,
      "there is no module \"\(name)\": \(asked)neither \(candidates[0]) nor \(candidates[1]) is a "
        + "file of the app's folder that can be read\(hint)")
  }

  private static let moduleEndings = [".lua", "/init.lua"]

  /// The possible files of a module, in search order.
  private func candidates(ofModule name: String) -> [String] {
    let stem = pathPrefix + name.split(separator: ".").joined(separator: "/")
    return Self.moduleEndings.map { stem + $0 }
  }

  func file(ofModule name: String) -> String? {
    candidates(ofModule: name).first { access($0, R_OK) == 0 && isWithinFolder($0) }
  }

  /// The files to watch: those of the app, and those that would take precedence or serve as a
  /// replacement.
  package var watchedPaths: [String] {
    loader.watchedPaths {
      let files = modulePaths
      var seen = Set(files)
      let required = modules.all.filter { !$0.isMain && !$0.isGiven }
      let others = required.flatMap { candidates(ofModule: $0.name) }
      return files + others.filter { seen.insert($0).inserted }
    }
  }

  /// The module to run again because of a new file, in which the module is now found.
  package func module(movedTo file: String) -> Module? {
    for ending in Self.moduleEndings where file.hasPrefix(pathPrefix) && file.hasSuffix(ending) {
      let stem = file.dropFirst(pathPrefix.count).dropLast(ending.count)
      let name = stem.split(separator: "/").joined(separator: ".")
      guard let module = modules[name], !module.isMain, !module.isGiven, module.path != file else {
        continue
      }
      if self.file(ofModule: name) == file { return module }
    }
    return nil
  }

  /// Whether saving a file can affect the app.
  package func isConcerned(by file: String) -> Bool {
    if let module = modules.module(atPath: file), !module.isGiven { return true }
    return loader.triedPaths.contains(file) || module(movedTo: file) != nil
  }

  /// Whether a file lies in the app's folder once links are resolved. A file outside counts as
  /// missing: a separate refusal would reveal that it exists.
  private func isWithinFolder(_ file: String) -> Bool { SystemPath.isWithin(file, folder) }

  /// Loads a file as a chunk and runs it.
  func runFile(_ file: String, _ arguments: [LuaValue]) throws -> [LuaValue] {
    try loadFile(file).call(arguments)
  }

  /// Compiles the main script.
  func loadMain() throws -> LuaFunction {
    guard let given = loader.mainText else { return try loadFile(path) }
    let text = try ScriptFile.text(given: given, path)
    modules.main.text = text
    return try compile(text, path)
  }

  /// Compiles a file.
  package func loadFile(_ file: String) throws -> LuaFunction {
    note(tried: file)
    loader.noteRead(in: loop)
    let text = try ScriptFile.read(file)
    modules.module(atPath: file)?.text = text
    return try compile(text, file)
  }

  /// Compiles the text of a file, or of a module without one.
  func compile(_ source: String, _ file: String) throws -> LuaFunction {
    if source.allSatisfy(\.isWhitespace) {
      throw TideError(
        .scriptError, "the script is empty; declare a model, or return a view",
        location: SourceLocation(file: file, line: 1))
    }
    return try lua.load(source, name: "@" + file)
  }
}

extension Runtime {
  /// Records the globals that each module adds, which are removed with the module.
  func trackGlobals() throws {
    let globals = try lua.globals
    let metatable = try lua.table()
    try metatable.rawSet(
      "__newindex",
      .function(
        function(named: "_G") { [unowned self] call in
          let key = try call.value(1)
          try globals.rawSet(key, call.value(2))
          // The file of the calling function decides; globals that the host adds stay.
          if case .string(let name) = key, let location {
            modules.module(atPath: location.file)?.globals.insert(name)
          }
        }))
    // The metatable is shared by all modules, so it is hidden from them.
    if !configuration.lua.capabilities.contains(.patching) {
      try metatable.rawSet("__metatable", false)
    }
    try globals.setMetatable(metatable)
  }

  /// Removes a module's globals.
  func removeGlobals(of module: Module) {
    for name in module.globals { try? lua.globals.rawSet(.string(name), .nil) }
  }

  /// Removes the globals of former versions, until the new ones add theirs.
  package func removeGlobals(of former: some Sequence<Module>) throws {
    if let rollback = loader.rollback {
      try rollback.keep(loader.tables.keep(lua.globals, isDeep: false))
    }
    for module in former { removeGlobals(of: module) }
  }
}

// MARK: Catalogue

extension APIEntry {
  static let require = APIEntry(
    "require(name)", usage: "require \"name\"",
    "Another script below the app's folder.",
    """
    @param name string
    @return any
    """)

  static let arg = APIEntry(
    "arg",
    "What followed -- on the command line.",
    """
    @type string[]
    """)
}

extension APISection {
  static let modules = APISection(
    article: "ReloadAndReports",
    entries: [.require, .arg])
}
