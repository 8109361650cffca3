import TideBindings
import TideGraph
import TideLua
import TideScript
import TideViews

/// What a test must leave as it found it: models, components, transformers, named contexts, the
/// properties of `app`, and what is shown.
///
/// ```swift
/// let mark = runtime.mark()
/// …                                // a test runs
/// runtime.restore(to: mark)
/// ```
struct TestMark {
  fileprivate var models: [String: DataObject]
  fileprivate var components: [String: Component]
  fileprivate var contexts: [String: BindingContext]
  fileprivate var settings: [String: SettingsController]
  fileprivate var sharedModels: Set<String>
  fileprivate var modules: Set<String>
  fileprivate var restoreTransformers: () -> Void
  fileprivate var restoreApp: () -> Void
  fileprivate var folder: String?
  fileprivate var hasFinished: Bool
  /// What was shown.
  let scene: Scene?
}

extension Runtime {
  /// Notes how things are, for `restore`.
  func mark() -> TestMark {
    TestMark(
      models: declaredModels, components: views.components, contexts: contexts.named,
      settings: declarations.settingsControllers, sharedModels: sharedModelNames,
      modules: Set(modules.all.map(\.name)),
      restoreTransformers: transformers.restorer(), restoreApp: appRestorer(),
      folder: loader.folder,
      hasFinished: loader.hasFinished,
      scene: scene)
  }

  /// Makes everything as it was, but for what contexts hold: clearing those comes first.
  func restore(to mark: TestMark) {
    for module in modules.all.reversed() where !mark.modules.contains(module.name) {
      modules[module.name] = nil
      forget(module)
    }
    let new = declaredModels
    for name in new.keys where mark.models[name] == nil { models.put(nil, as: name) }
    for (name, model) in mark.models where new[name] !== model { models.put(model, as: name) }
    views.components = mark.components
    contexts.named = mark.contexts
    declarations.settingsControllers = mark.settings
    forgetSharedModels(except: mark.sharedModels)
    mark.restoreTransformers()
    mark.restoreApp()
    loader.folder = mark.folder
    loader.hasFinished = mark.hasFinished
    if scene !== mark.scene { scene = mark.scene }
  }

  private var declaredModels: [String: DataObject] {
    graph.untracked {
      var declared: [String: DataObject] = [:]
      for name in models.names where !models.isFromHost(name) { declared[name] = models[name] }
      return declared
    }
  }

  // MARK: Showing

  /// Lets the next view that is shown have a scene of its own.
  func showNothing() { scene = nil }

  /// Shows a view as a script does, and lists what it names that is not there.
  func showForTest(_ view: View) throws {
    try show(view)
    finish()
  }

  /// Compiles an app's file; what it requires and shows is looked for beside it from now on.
  func loadTested(_ file: String) throws -> LuaFunction {
    let function = try loadFile(file)
    modules.main.hot.data = nil
    loader.folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    return function
  }
}
