package import TideSystem

/// What the client can do, as it says when it starts the server.
package struct ClientCapabilities {
  package let json: JSONValue

  package init(_ json: JSONValue = nil) { self.json = json }

  /// What positions count: bytes if the client offers that, because the checker counts bytes.
  package var encoding: TextPositions.Encoding {
    let offered = json["general"]["positionEncodings"].array ?? []
    return offered.contains("utf-8") ? .utf8 : .utf16
  }

  /// Whether it watches files when it is asked to.
  package var watchesFiles: Bool {
    json["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"].bool ?? false
  }

  /// Whether it requests inlay hints again when it is told to.
  package var refreshesInlayHints: Bool {
    json["workspace"]["inlayHint"]["refreshSupport"].bool ?? false
  }

  /// Whether edits may name the versions that they are made for.
  package var takesVersionedEdits: Bool {
    json["workspace"]["workspaceEdit"]["documentChanges"].bool ?? false
  }

  /// Whether it only pulls diagnostics. A client that can do both is only sent them, because
  /// otherwise it would show them twice.
  package var onlyPullsDiagnostics: Bool {
    json["textDocument"]["publishDiagnostics"].isNull
      && !json["textDocument"]["diagnostic"].isNull
  }
}
