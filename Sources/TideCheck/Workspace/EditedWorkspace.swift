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
/// Each snapshot finds what a new check would find, but parses only the scripts whose texts have
/// changed.
package final class EditedWorkspace {
  private let check: ScriptCheck
  private let finder = ScriptFinder()
  private let reader: ScriptReader
  private let unions = SymbolUnions()
  /// The texts that editors show, by the paths that they were given under.
  private var texts: [PathKey: String] = [:]

  package init(_ check: ScriptCheck) {
    self.check = check
    reader = ScriptReader(names: check.names, syntax: check.syntax, finder: finder)
  }

  /// Replaces the text of a script; nil goes back to the text of the file.
  package func edit(_ path: String, _ text: String?) { texts[path: path] = text }

  /// Notes that files may have been written, created or removed.
  package func filesChanged() {
    finder.forget()
    check.projectGlobals.forget()
  }

  /// The texts by real path. If a file was given texts under several names, its real path wins.
  private var edited: [PathKey: String] {
    var edited: [PathKey: String] = [:]
    for (path, text) in texts.sorted(by: { $0.key < $1.key }) {
      let identity = PathKey(finder.identity(of: path.path))
      if edited[identity] == nil || path == identity { edited[identity] = text }
    }
    return edited
  }

  /// The workspace of files, and of the Lua files in and below folders, with their current texts.
  ///
  /// - Throws: `scriptFile` for a path that cannot be opened, or a folder without Lua files.
  package func snapshot(of paths: [String]) throws -> WorkspaceSnapshot {
    try WorkspaceSnapshot(paths, check, reader, finder, edited, unions)
  }
}
