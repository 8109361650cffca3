import TideBindings
import TideScript
import TideSystem

/// A workspace that is checked again and again while its scripts are edited.
///
/// ```swift
/// let workspace = EditedWorkspace(try ScriptCheck())
/// workspace.edit("app.lua", "model \"fruit\" { name = 1")
/// let problems = try workspace.snapshot(of: ["app.lua"]).problems(in: "app.lua")
/// ```
///
/// Each snapshot finds what a new check would find. It parses only the scripts whose texts have changed.
package final class EditedWorkspace {
  private let check: ScriptCheck
  private let finder = ScriptFinder()
  private let reader: ScriptReader
  private let unions = SymbolUnions()
  /// The texts that editors show, by the paths that they were given under.
  private var texts: [String: String] = [:]

  package init(_ check: ScriptCheck) {
    self.check = check
    reader = ScriptReader(names: check.names, syntax: check.syntax, finder: finder)
  }

  /// Gives a script another text than the file has; nil for the file's own again.
  package func edit(_ path: String, _ text: String?) { texts[path] = text }

  /// Notes that files may have been written, made or removed.
  package func filesChanged() { finder.forget() }

  /// The texts by the files' real paths. Of several names of one file the file's own counts first.
  private var edited: [String: String] {
    var edited: [String: String] = [:]
    for (path, text) in texts.sorted(by: { $0.key < $1.key }) {
      let identity = finder.identity(of: path)
      if edited[identity] == nil || path == identity { edited[identity] = text }
    }
    return edited
  }

  /// The workspace of files, and of the Lua files in folders and below them, as their texts are now.
  ///
  /// - Throws: `scriptFile` for a path that cannot be opened, or a folder without Lua.
  package func snapshot(of paths: [String]) throws -> WorkspaceSnapshot {
    try WorkspaceSnapshot(paths, check, reader, finder, edited, unions)
  }
}
