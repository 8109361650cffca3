import TideBindings
import TideLua

extension Runtime {
  /// Gives `require` a searcher: a function that knows modules by name which are no files of the
  /// app, such as those in a database or in the program itself.
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
  /// The libraries of Lua and `tidelock` come first, then the searchers in the order in which they
  /// were registered, then the app's folder: no file can take the place of what the host gives. A
  /// searcher is asked for what is a module's name, such as `dir.name`, and never for one with a
  /// slash or an empty part, as `..` has them.
  ///
  /// It is asked when a module is required first and again when the module is reloaded, as
  /// `reload(["shop.rates"])` does; nothing watches what it reads. In errors the module is called
  /// `<shop.rates>`. It runs on the runtime's thread, and outlives `reset()`. What it throws is
  /// raised at the line that requires, as a `TideError` whose message names the module.
  public func register(searcher: @escaping (_ name: String) throws -> ModuleSource?) {
    loader.searchers.all.append(searcher)
  }

  /// What the searchers give for a name; nil where none knows it.
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

  /// What stands for the path of a module without a file. No module's file is called so.
  static func path(ofGiven name: String) -> String { "<\(name)>" }

  /// Runs what a searcher gave, as `runFile` does a file.
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

  /// Whether the text of a module as it would be loaded now declares a class.
  func declares(class name: String, in module: Module) -> Bool {
    guard module.isGiven else { return ScriptFile.declares(name, at: module.path) }
    guard case .text(let text)? = try? given(module: module.name) else { return false }
    return ScriptFile.declares(name, in: text)
  }
}
