import TideCheck
import TideSystem

/// Updates the module names in `require` calls when files are renamed or moved.
struct FileRenameFeature: Feature {
  /// The files for which the client sends rename requests, for the workspace capabilities.
  static let operations: JSONValue = [
    "willRename": [
      "filters": [
        ["scheme": "file", "pattern": ["glob": "**/*.lua", "matches": "file"]],
        ["scheme": "file", "pattern": ["glob": "**", "matches": "folder"]],
      ]
    ]
  ]

  func register(in handlers: inout HandlerTable) {
    handlers.onRequest("workspace/willRenameFiles", rename)
  }

  /// A renamed file or folder, with its old and new path.
  private struct Move {
    let old: String
    let new: String

    init?(_ value: JSONValue) {
      guard let old = value["oldUri"].string.flatMap(DocumentURI.path),
        let new = value["newUri"].string.flatMap(DocumentURI.path)
      else { return nil }
      (self.old, self.new) = (old, new)
    }

    /// The new path of a file; nil if it does not change.
    func path(of path: String) -> String? {
      if path == old { return new }
      return SystemPath.isBelow(path, old) ? new + path.dropFirst(old.count) : nil
    }
  }

  private func rename(_ params: JSONValue, _ context: RequestContext) throws -> JSONValue {
    let server = context.server
    let moves = (params["files"].array ?? []).compactMap(Move.init)
    func moved(_ path: String) -> String? { moves.lazy.compactMap { $0.path(of: path) }.first }
    var writer = LocationWriter(server)
    var edits = WorkspaceEdit()
    var lost: Set<String> = []
    var seen: Set<String> = []
    for use in try uses(of: moves, server) {
      try context.cancellation.check()
      guard let file = moved(use.file), seen.insert("\(use.script):\(use.range)").inserted else {
        continue
      }
      guard let name = ModuleUse.name(of: file, in: moved(use.home) ?? use.home) else {
        lost.insert(use.name)
        continue
      }
      if name == use.name { continue }
      let location = ScriptAnalysis.Location(file: use.script, range: use.range)
      guard writer.knows(use.script) else { continue }
      edits.add(writer.range(location), name, in: writer.uri(of: use.script))
    }
    if !lost.isEmpty {
      server.notify(
        "window/showMessage",
        [
          "type": 2,
          "message": .string(
            "no name finds \(lost.sorted().joined(separator: ", ")) there; mend the scripts that "
              + "require it"),
        ])
    }
    return edits.isEmpty ? nil : edits.json(for: server)
  }

  /// The uses of modules in the workspaces of the moved files.
  private func uses(of moves: [Move], _ server: LanguageServer) throws -> [ModuleUse] {
    let files = try server.analysis.files.filter { file in
      server.analysis.appRoots.contains { SystemPath.isBelow(file, $0) }
        || moves.contains { $0.path(of: file) != nil } || server.documents[path: file] != nil
    }
    var asked: Set<ObjectIdentifier> = []
    return try files.flatMap { file -> [ModuleUse] in
      guard let snapshot = try server.analysis.snapshot(for: file),
        asked.insert(ObjectIdentifier(snapshot)).inserted
      else { return [] }
      return snapshot.moduleUses
    }
  }
}
