import TideBindings
import TideGraph
import TideLua
import TideViews

extension Runtime {
  /// Runs the app's main script, and shows the view that it returns.
  ///
  /// Throws a `TideError` with the place when the script cannot be read, has a syntax error or
  /// raises; what it had made is then gone, and `reload` may be tried later.
  public func load() throws {
    takePrinted()
    do {
      try runMain()
    } catch {
      mainContext.removeAll()
      throw error
    }
  }

  private func runMain() throws {
    graph.makeCurrent()
    modulePaths = []
    unnamedModels = [:]
    hasFinished = false
    do {
      let chunk = try perform { try loadFile(path) }
      let results = try start(
        chunk, configuration.arguments.map { .string($0) }, in: mainContext
      ) { [home] in home.runtime?.endMain($0) }
      // While it waits, the app runs on.
      guard let results else { return }
      try showResult(results)
    } catch {
      let failure = TideError(wrapping: error, graph: graph)
      // The script has asked to leave; that is no error.
      if failure.cause is ExitRequest || error is ExitRequest { return finish() }
      if !modulePaths.contains(path) { modulePaths.insert(path, at: 0) }
      throw failure
    }
    finish()
  }

  private func showResult(_ results: [LuaValue]) throws {
    if let view = results.first?.object?.dataObject as? View { try show(view) }
  }

  /// What comes after a main script that has waited.
  private func endMain(_ outcome: ScriptTask.Outcome) {
    do {
      try table.with(mainContext) { try showResult(outcome.get()) }
    } catch {
      let error = TideError(script: error)
      // Cleared with its context, which is no mistake.
      if error.code != .cancelled { list(error) }
    }
    finish()
  }

  /// Lists what the script left undone: names that nothing bears, models without fields.
  package func finish() {
    hasFinished = true
    resolveNames(listing: true)
    listUnknownClasses()
    listDuplicateIDs()
    for (name, place) in unnamedModels.sorted(by: { $0.key < $1.key }) {
      list(
        TideError(
          .syntax, "model \"\(name)\" is declared without its fields; write model \"\(name)\" {…}",
          location: place))
    }
    unnamedModels = [:]
  }

  private func listDuplicateIDs() {
    let ids = viewIDs
    for (id, next) in zip(ids, ids.dropFirst()) where id == next {
      list(
        TideError(
          .duplicate, "two shown views have the id \"\(id)\"; views.\(id) finds the first"))
    }
  }

  /// Runs the app anew. Models keep their values; everything else that the scripts made is made
  /// again. The new views take the place of the old ones with focus, caret, scroll position and
  /// selection. When the new version fails, the old one keeps running and the error is thrown.
  public func reload() throws {
    let old = (
      context: mainContext, modules: modules, paths: modulePaths, named: namedContexts,
      classes: classes, components: components, models: models.scriptModels,
      hasFinished: hasFinished
    )
    mainContext = BindingContext(path, in: table)
    modules = [:]
    components = [:]
    namedContexts = [:]
    old.context.isEnabled = false
    do {
      succession = Succession()
      defer { succession = nil }
      try runMain()
      if let view = succession?.view { try scene?.succeed(with: view) }
    } catch {
      mainContext.removeAll()
      mainContext = old.context
      modules = old.modules
      namedContexts = old.named
      classes = old.classes
      components = old.components
      unknownClasses = []
      hasFinished = old.hasFinished
      // Both versions' files are watched, so that mending either tries again.
      modulePaths = old.paths + modulePaths.filter { !old.paths.contains($0) }
      models.restore(old.models)
      old.context.isEnabled = true
      throw error
    }
    old.context.removeAll()
    table.clearErrors()
  }

  /// Runs the app anew and drops what the old one kept.
  public func reset() throws {
    mainContext.removeAll()
    mainContext = BindingContext(path, in: table)
    modules = [:]
    components = [:]
    namedContexts = [:]
    models.removeScripts()
    table.clearErrors()
    try load()
  }
}

/// What a new version of an app has shown so far: it is seen when the version has turned out good.
struct Succession {
  var view: View?
}
