public import TideBindings
import TideSystem

/// What a searcher of the host's gives for the name of a module. See ``Runtime/register(searcher:)``.
///
/// ```swift
/// let scripts = ["rates": "return { vat = 0.2 }"]
/// runtime.register(searcher: { name in scripts[name].map { ModuleSource.text($0) } })
/// ```
public enum ModuleSource {
  /// The text of a script, which is run as that of a file is: in a context of its own, within the
  /// sandbox and its budgets. Compiled Lua is refused.
  case text(String)
  /// What `require` gives; nothing is run.
  case value(any TideConvertible)
}

/// The searchers that the host has registered.
struct ModuleSearchers {
  typealias Searcher = (String) throws -> ModuleSource?

  /// In the order in which they are asked.
  var all: [Searcher] = []
  /// The names that they are being asked for: a searcher may run a script, which may require again.
  var asked: Set<String> = []
}

/// Finds the module that was probably meant by a name that no module has.
package enum NearestModule {
  /// A phrase that names it; empty where no module of the app's folder has a similar name.
  package static func hint(for name: String, in folder: String) -> String {
    let parts = name.split(separator: ".").map(String.init)
    guard let last = parts.last else { return "" }
    let rest = parts.dropLast()
    let home = rest.isEmpty ? folder : SystemPath.joined(folder, rest.joined(separator: "/"))
    // Files elsewhere are not mentioned.
    guard rest.isEmpty || SystemPath.isWithin(home, folder),
      let names = ReadableFile.names(in: home)?.filter({ !$0.hasPrefix(".") }).sorted()
    else { return "" }
    let modules = names.compactMap { name -> String? in
      if name.hasSuffix(".lua") { return String(name.dropLast(4)) }
      let file = SystemPath.joined(SystemPath.joined(home, name), "init.lua")
      return access(file, R_OK) == 0 ? name : nil
    }
    return NearestName.hint(for: last, in: modules) { (rest + [$0]).joined(separator: ".") }
  }
}
