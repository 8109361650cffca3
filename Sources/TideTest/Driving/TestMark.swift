import TideBindings
import TideGraph
import TideLua
import TideScript
import TideViews

/// A snapshot of the state that a test must restore: models, components, transformers, named
/// contexts, the properties of `app`, and the shown scene.
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
  /// The shown scene.
  let scene: Scene?
}

extension Runtime {
  /// Records the current state, for `restore`.
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

  /// Restores a recorded state. The contents of contexts must be removed first.
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

  /// Removes the scene, so that the next shown view creates a new one.
  func showNothing() { scene = nil }

  /// Shows a view as a script does, and lists unresolved names.
  func showForTest(_ view: View) throws {
    try show(view)
    finish()
  }

  /// Compiles an app's file. Modules and files are then found relative to its folder.
  func loadTested(_ file: String) throws -> LuaFunction {
    let function = try loadFile(file)
    modules.main.hot.data = nil
    loader.folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    return function
  }
}
