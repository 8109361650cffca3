package import TideSystem

/// What the client can do, as it says when it starts the server.
package struct ClientCapabilities {
  package let json: JSONValue

  package init(_ json: JSONValue = nil) { self.json = json }

  /// What positions count: bytes where the client offers it, which are the checker's columns.
  package var encoding: TextPositions.Encoding {
    let offered = json["general"]["positionEncodings"].array ?? []
    return offered.contains("utf-8") ? .utf8 : .utf16
  }

  /// Whether it watches files when it is asked to.
  package var watchesFiles: Bool {
    json["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"].bool ?? false
  }

  /// Whether it asks for inlay hints again when it is told to.
  package var refreshesInlayHints: Bool {
    json["workspace"]["inlayHint"]["refreshSupport"].bool ?? false
  }

  /// Whether edits may name the versions that they are made for.
  package var takesVersionedEdits: Bool {
    json["workspace"]["workspaceEdit"]["documentChanges"].bool ?? false
  }

  /// Whether it takes diagnostics only when it asks for them. One that does both is sent them, because
  /// it would show them twice.
  package var onlyPullsDiagnostics: Bool {
    json["textDocument"]["publishDiagnostics"].isNull
      && !json["textDocument"]["diagnostic"].isNull
  }
}
