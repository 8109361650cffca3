public import TideBindings

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
