import TideBindings
import TideLua

extension Runtime {
  /// Registers a searcher for `require`: a function that finds modules by name that are not files,
  /// such as those in a database or in the program itself.
  ///
  /// ```swift
  /// runtime.register(searcher: { name in
  ///   switch name {
  ///   case "shop.rates": ModuleSource.text("return { vat = 0.2 }")
  ///   case "shop.limits": ModuleSource.value(["pieces": 12])
  ///   default: nil   // the next searcher is asked, and in the end the app's folder
  ///   }
  /// })
  /// // in a script: print(require("shop.rates").vat)
  /// ```
  ///
  /// Lua's libraries and `tidelock` take precedence, then the searchers in registration order, then
  /// the app's folder: a file cannot replace a module of the host. A searcher is called only for
  /// valid module names, such as `dir.name`, never for names with a slash or an empty part, such as
  /// `..`.
  ///
  /// A searcher is called when a module is first required, and again when the module is reloaded,
  /// for example by `reload(["shop.rates"])`. The sources that it reads are not watched. In errors
  /// the module's path is `<shop.rates>`. The searcher runs on the runtime's thread, and outlives
  /// `reset()`. Its errors are raised at the line with `require`, as a `TideError` whose message
  /// names the module.
  public func register(searcher: @escaping (_ name: String) throws -> ModuleSource?) {
    loader.searchers.all.append(searcher)
  }

  /// The searchers' result for a name; nil if none knows the module.
  func given(module name: String) throws -> ModuleSource? {
    if loader.searchers.all.isEmpty { return nil }
    guard loader.searchers.asked.insert(name).inserted else {
      throw TideError(.module, "\"\(name.inMessage)\" requires itself, by way of a searcher")
    }
    defer { loader.searchers.asked.remove(name) }
    do {
      for searcher in loader.searchers.all {
        if let source = try searcher(name) { return source }
      }
      return nil
    } catch {
      let isKnown = error is TideError || error is LuaError
      var failure =
        isKnown ? TideError(script: error) : TideError(.module, "\(error)", cause: error)
      failure.message = "the searcher for module \"\(name.inMessage)\" failed: \(failure.message)"
      throw failure
    }
  }

  /// The pseudo-path of a module without a file. No file has such a path.
  static func path(ofGiven name: String) -> String { "<\(name)>" }

  /// Runs a searcher's result, as `runFile` runs a file.
  func run(_ source: ModuleSource, _ module: Module, _ arguments: [LuaValue]) throws -> LuaValue {
    switch source {
    case .text(let text):
      let script = try ScriptFile.text(given: text, module.path)
      return try compile(script, module.path).call(arguments).first ?? .nil
    case .value(let value):
      do {
        return try value.toLua(in: lua)
      } catch let error as ValueMismatch {
        throw TideError(
          .module, "module \"\(module.name.inMessage)\" does not hold a script value: \(error)")
      }
    }
  }

  /// Whether the current text of a module declares a class.
  func declares(class name: String, in module: Module) -> Bool {
    guard module.isGiven else { return ScriptFile.declares(name, at: module.path) }
    guard case .text(let text)? = try? given(module: module.name) else { return false }
    return ScriptFile.declares(name, in: text)
  }
}
