import TideSystem

/// Synchronizes the server's documents with the client's.
struct DocumentSync: Feature {
  func capabilities(for client: ClientCapabilities) -> JSONValue {
    // 2 means incremental: a change is a range and its new text.
    ["textDocumentSync": ["openClose": true, "change": 2, "save": ["includeText": false]]]
  }

  func register(in handlers: inout HandlerTable) {
    handlers.onNotification("textDocument/didOpen", open)
    handlers.onNotification("textDocument/didChange", change)
    handlers.onNotification("textDocument/didSave") { params, server in
      let path = server.documents.path(of: try RequestContext.uri(in: params))
      server.analysis.noteChange(of: path)
      server.note(.saved(path))
    }
    handlers.onNotification("textDocument/didClose", close)
  }

  private func open(_ params: JSONValue, _ server: LanguageServer) throws {
    let uri = try RequestContext.uri(in: params)
    guard let text = params["textDocument"]["text"].string else {
      throw ResponseError(.invalidParams, "textDocument.text is missing")
    }
    let version = params["textDocument"]["version"].int
    if !server.documents.open(uri, text: text, version: version) {
      server.log(.warning, "textDocument/didOpen: \(uri) was open already; its text is replaced")
    }
    guard let document = server.documents[uri: uri] else { return }
    if document.isChecked { server.analysis.update(document.path, document.text.bytes) }
    server.note(.opened(document.path))
  }

  private func change(_ params: JSONValue, _ server: LanguageServer) throws {
    let uri = try RequestContext.uri(in: params)
    let changes = params["contentChanges"].array ?? []
    defer {
      // Runs also after an invalid change, because earlier changes remain applied.
      if let document = server.documents[uri: uri] {
        if document.isChecked { server.analysis.update(document.path, document.text.bytes) }
        server.note(.changed(document.path))
      }
    }
    let version = params["textDocument"]["version"].int
    if try server.documents.change(uri, changes, version: version) == nil {
      throw ResponseError(.invalidParams, "\(uri) is not open")
    }
  }

  private func close(_ params: JSONValue, _ server: LanguageServer) throws {
    let uri = try RequestContext.uri(in: params)
    guard let document = server.documents.close(uri) else {
      throw ResponseError(.invalidParams, "\(uri) is not open")
    }
    server.analysis.close(document.path)
    if !document.isFile {
      // Only the client's URI identifies the document, and it is discarded now.
      server.notify(
        "textDocument/publishDiagnostics", ["uri": .string(uri), "diagnostics": []], topic: uri)
    }
    server.note(.closed(document.path))
  }
}
