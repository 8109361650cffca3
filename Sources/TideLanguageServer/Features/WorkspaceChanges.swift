import TideCheck
import TideSystem

/// Tracks the folders of the workspace, and changes to their files made outside of the client.
struct WorkspaceChanges: Feature {
  func capabilities(for client: ClientCapabilities) -> JSONValue {
    [
      "workspace": [
        "workspaceFolders": ["supported": true, "changeNotifications": true],
        "fileOperations": FileRenameFeature.operations,
      ]
    ]
  }

  func register(in handlers: inout HandlerTable) {
    handlers.onNotification("initialized") { _, server in watchFiles(server) }
    handlers.onNotification("workspace/didChangeWatchedFiles") { params, server in
      let uris = (params["changes"].array ?? []).compactMap { $0["uri"].string }
      let paths = uris.compactMap(DocumentURI.path)
      for path in paths { server.analysis.noteChange(of: path) }
      server.note(.filesChanged(paths))
    }
    handlers.onNotification("workspace/didChangeWorkspaceFolders") { params, server in
      let removed = folders(params["event"]["removed"])
      let added = folders(params["event"]["added"])
      let kept = server.roots.filter { !removed.contains($0) }
      server.setRoots(kept + added.filter { !kept.contains($0) })
    }
    // Clients may send their settings at any time; `LiveFeature` reads the only relevant one.
    handlers.onNotification("workspace/didChangeConfiguration") { _, _ in }
  }

  private func folders(_ value: JSONValue) -> [String] {
    (value.array ?? []).compactMap { $0["uri"].string.flatMap(DocumentURI.path) }
  }

  private func watchFiles(_ server: LanguageServer) {
    guard server.client.watchesFiles else { return }
    server.request(
      "client/registerCapability",
      [
        "registrations": [
          [
            "id": "watched-files", "method": "workspace/didChangeWatchedFiles",
            "registerOptions": [
              "watchers": .array(
                (["*.lua"] + ScriptCheck.settingsFiles).map {
                  ["globPattern": .string("**/\($0)")]
                })
            ],
          ]
        ]
      ])
  }
}
