import TideBindings
import TideScript
import TideSystem

/// A workspace that is checked repeatedly while its scripts are edited.
///
/// ```swift
/// let workspace = EditedWorkspace(try ScriptCheck())
/// workspace.edit("app.lua", "model \"fruit\" { name = 1")
/// let problems = try workspace.snapshot(of: ["app.lua"]).problems(in: "app.lua")
/// ```
///
/// Each snapshot gives the same results as a new check, but parses only the scripts whose texts
/// have changed.
package final class EditedWorkspace {
  private let check: ScriptCheck
  private let texts: EditedTexts
  private let reader: ScriptReader
  private let unions = SymbolUnions()

  /// - Parameter texts: the texts of scripts that are being edited.
  package init(_ check: ScriptCheck, _ texts: EditedTexts = EditedTexts()) {
    self.check = check
    self.texts = texts
    reader = ScriptReader(names: check.names, syntax: check.syntax, finder: texts.finder)
  }

  /// Replaces the text of a script; nil restores the text of the file.
  package func edit(_ path: String, _ text: String?) { texts.edit(path, text) }

  /// Notes that files may have been written, created or removed.
  package func filesChanged() {
    texts.filesChanged()
    check.projectGlobals.forget()
  }

  /// The workspace of files, and of the Lua files in and below folders, with their current texts.
  ///
  /// - Throws: `scriptFile` for a path that cannot be opened, or a folder without Lua files.
  package func snapshot(of paths: [String]) throws -> WorkspaceSnapshot {
    try WorkspaceSnapshot(paths, check, reader, texts, unions)
  }
}
