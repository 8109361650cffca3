public import TideBindings
import TideSystem

/// A searcher's result for a module name. See ``Runtime/register(searcher:)``.
///
/// ```swift
/// let scripts = ["rates": "return { vat = 0.2 }"]
/// runtime.register(searcher: { name in scripts[name].map { ModuleSource.text($0) } })
/// ```
public enum ModuleSource {
  /// The text of a script, which runs like a file: in its own context, within the sandbox and its
  /// budgets. Compiled Lua is refused.
  case text(String)
  /// The value that `require` returns; nothing is run.
  case value(any TideConvertible)
}

/// The searchers that the host has registered.
struct ModuleSearchers {
  typealias Searcher = (String) throws -> ModuleSource?

  /// In the order in which they are called.
  var all: [Searcher] = []
  /// The names being searched. A searcher may run a script, which may require again.
  var asked: Set<String> = []
}

/// Suggests a module for a misspelt name.
package enum NearestModule {
  /// A phrase with the suggestion; empty if no module of the app's folder has a similar name.
  package static func hint(for name: String, in folder: String) -> String {
    find(name, in: folder).map(NearestName.advice) ?? ""
  }

  /// The module of the app's folder with the most similar name; nil if none is similar. Specs are no
  /// modules.
  package static func find(_ name: String, in folder: String) -> String? {
    let parts = name.split(separator: ".").map(String.init)
    guard let last = parts.last else { return nil }
    let rest = Array(parts.dropLast())
    let home = rest.isEmpty ? folder : SystemPath.joined(folder, rest.joined(separator: "/"))
    // Files outside of the app's folder are not mentioned.
    if rest.isEmpty || SystemPath.isWithin(home, folder) {
      if let near = NearestName.find(last, in: modules(in: home)) { return path(rest, near) }
    }
    // The folder may be misspelt or missing.
    let folders = folders(in: folder).filter {
      modules(in: SystemPath.joined(folder, $0)).contains(last)
    }
    let near =
      rest.isEmpty ? folders.first : rest.count == 1 ? NearestName.find(rest[0], in: folders) : nil
    return near.map { path([$0], last) }
  }

  private static func path(_ folders: [String], _ module: String) -> String {
    (folders + [module]).joined(separator: ".")
  }

  private static func names(in folder: String) -> [String] {
    ReadableFile.names(in: folder)?.filter { !$0.hasPrefix(".") }.sorted() ?? []
  }

  private static func modules(in folder: String) -> [String] {
    names(in: folder).compactMap { name in
      if name.hasSuffix("_spec.lua") { return nil }
      if name.hasSuffix(".lua") { return String(name.dropLast(4)) }
      let file = SystemPath.joined(SystemPath.joined(folder, name), "init.lua")
      return access(file, R_OK) == 0 ? name : nil
    }
  }

  private static func folders(in folder: String) -> [String] {
    names(in: folder).filter { !$0.contains(".") }
  }
}

/// The source of an app's main script.
enum ScriptSource {
  case file(String)
  /// A text, its name in messages, and the folder of the app's other files, if any.
  case text(String, name: String, folder: String?)

  /// The text; nil for a file.
  var text: String? {
    if case .text(let text, _, _) = self { text } else { nil }
  }
}
