public import FoundationEssentials
import TideBindings
import TideGraph
import TideLua
import TideViews

extension Runtime {
  /// Runs the app's main script, and shows the view that it returns.
  ///
  /// - Throws: a `TideError` with the location if the script cannot be read, has a syntax error or
  ///   raises an error. Everything that it has made is removed, and `reload` may be tried later.
  ///   `graph` on a thread or an actor that is not the runtime's.
  public func load() throws {
    try requireHere()
    takePrinted()
    loader.triedPaths = []
    loader.isStarting = true
    defer { loader.isStarting = false }
    do {
      try runMain()
      loader.triedPaths = []
      settleSharing(hasBegun: true)
    } catch {
      settleSharing(hasBegun: false)
      removeAll()
      for module in modules.all { forget(module) }
      modules = ModuleTable(main: loader.makeMain(in: table))
      throw error
    }
  }

  /// Runs the main script in its context.
  package func runMain() throws {
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    declarations.unnamedModels = [:]
    loader.hasFinished = false
    loader.rollback?.hidesOldViews = true
    if loader.rollback == nil { views.viewsToShow = [] }
    defer {
      tellOfMissingViews()
      finishTurn()
    }
    do {
      let chunk = try perform { try loadMain() }
      let results = try graph.measured(Profile.Name(.module, "main script", at: path)) {
        try start(
          chunk, configuration.arguments.map { .string($0) }, in: mainContext
        ) { [home] in home.runtime?.endMain($0) }
      }
      modules.main.hasRun = true
      // While it waits, the app runs.
      guard let results else { return }
      try showResult(results)
    } catch {
      let failure = TideError(wrapping: error, graph: graph)
      // A call of `exit` is not an error.
      if failure.cause is ExitRequest || error is ExitRequest { return finish() }
      throw failure
    }
    finish()
  }

  private func showResult(_ results: [LuaValue]) throws {
    // The host calls functions of this table by name.
    if case .table? = results.first { modules.main.value = results[0] }
    if let view = results.first?.object?.dataObject as? View { try show(view) }
  }

  /// Finishes a main script that has waited.
  private func endMain(_ outcome: ScriptTask.Outcome) {
    do {
      try table.with(mainContext) { try showResult(outcome.get()) }
    } catch {
      let error = TideError(script: error)
      // Its context was cleared, which is not an error.
      if error.code != .cancelled { list(error) }
    }
    finish()
  }

  /// Lists unfinished declarations: unresolved names, and models without fields.
  package func finish() {
    loader.hasFinished = true
    loader.rollback?.hidesOldViews = false
    resolveNames(listing: true)
    listUnknownClasses()
    listDuplicateIDs()
    for controller in declarations.settingsControllers.values { controller.listUnread() }
    for (name, found) in declarations.unnamedModels.sorted(by: { $0.key < $1.key }) {
      list(
        TideError(
          .syntax,
          "model \"\(name)\" is declared without its fields; write \(found.keyword) \"\(name)\" {…}",
          location: found.location))
    }
    declarations.unnamedModels = [:]
  }

  /// Removes everything that the app has made, and runs it from the start.
  ///
  /// - Throws: the errors of `load`, after which nothing of the app is left; `graph` on another
  ///   actor or thread, where nothing happens.
  public func reset() throws {
    try requireHere()
    // Unsent writes to shared models are saved in the app's database, or listed.
    finishSharing(within: 0)
    for module in modules.all.reversed() { disposeOfState(in: module) }
    removeAll()
    for module in modules.all {
      removeGlobals(of: module)
      for name in module.transformers { transformers.remove(name) }
    }
    modules = ModuleTable(main: loader.makeMain(in: table))
    views.components = [:]
    contexts.named = [:]
    models.removeScripts()
    forgetSharedModels()
    table.clearErrors()
    ending.app.reset()
    try load()
  }
}

extension Runtime {
  /// Creates the interpreter and its API for an app whose main script is a file. The file is not
  /// read yet.
  ///
  /// ```swift
  /// let runtime = try Runtime(app: URL(filePath: "app.lua"))
  /// ```
  ///
  /// - Throws: `scriptMemory` if the scripts' memory does not suffice for the API; `limit` for 0
  ///   bytes of memory or less, and if the system refuses memory; `graph` in a task that is on no
  ///   actor.
  public convenience init(
    app: URL, configuration: Configuration = Configuration()
  ) throws {
    try self.init(file: app.path, configuration: configuration)
  }

  /// Creates the interpreter and its API for an app whose main script is a text, for example from a
  /// database or the program itself. `load` runs it.
  ///
  /// ```swift
  /// let runtime = try Runtime(source: "return { twice = function(n) return 2 * n end }")
  /// try runtime.load()
  /// let four = try await runtime.call("twice", 2, as: Int.self)
  /// ```
  ///
  /// - Parameters:
  ///   - source: the main script.
  ///   - name: the name of the script in messages, where it appears in angle brackets.
  ///   - folder: where `require` looks for files; nil for an app without files, whose modules come
  ///     from searchers.
  ///   - configuration: the same as for an app of files.
  /// - Throws: the errors of `init(app:configuration:)`.
  public convenience init(
    source: String, name: String = "app", folder: URL? = nil,
    configuration: Configuration = Configuration()
  ) throws {
    try self.init(.text(source, name: name, folder: folder?.path), configuration: configuration)
  }
}
