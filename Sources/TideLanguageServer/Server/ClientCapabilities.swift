package import TideSystem

/// The client's capabilities, sent when it starts the server.
package struct ClientCapabilities {
  package let json: JSONValue

  package init(_ json: JSONValue = nil) { self.json = json }

  /// The unit of positions: bytes if the client supports them, because the checker counts bytes.
  package var encoding: TextPositions.Encoding {
    let offered = json["general"]["positionEncodings"].array ?? []
    return offered.contains("utf-8") ? .utf8 : .utf16
  }

  /// Whether it can watch files on request.
  package var watchesFiles: Bool {
    json["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"].bool ?? false
  }

  /// Whether it can refresh inlay hints on request.
  package var refreshesInlayHints: Bool {
    json["workspace"]["inlayHint"]["refreshSupport"].bool ?? false
  }

  /// Whether edits may specify document versions.
  package var takesVersionedEdits: Bool {
    json["workspace"]["workspaceEdit"]["documentChanges"].bool ?? false
  }

  /// Whether it supports only pulled diagnostics. Diagnostics are pushed to a client that supports
  /// both, because it would otherwise show them twice.
  package var onlyPullsDiagnostics: Bool {
    json["textDocument"]["publishDiagnostics"].isNull
      && !json["textDocument"]["diagnostic"].isNull
  }
}
