import TideSystem

/// Changes to several files, in a form supported by the client.
struct WorkspaceEdit {
  private var edits: [(uri: String, edits: [JSONValue])] = []

  var isEmpty: Bool { edits.isEmpty }

  /// Adds the replacement of a range, given in the protocol's form.
  mutating func add(_ range: JSONValue, _ text: String, in uri: String) {
    let edit: JSONValue = ["range": range, "newText": .string(text)]
    if let index = edits.firstIndex(where: { $0.uri == uri }) {
      edits[index].edits.append(edit)
    } else {
      edits.append((uri, [edit]))
    }
  }

  func json(for server: LanguageServer) -> JSONValue {
    guard server.client.takesVersionedEdits else {
      return [
        "changes": .object(edits.map { JSONField(name: $0.uri, value: .array($0.edits)) })
      ]
    }
    return [
      "documentChanges": .array(
        edits.map { uri, edits in
          let version = server.documents[uri: uri]?.version
          return [
            "textDocument": ["uri": .string(uri), "version": version.map { .int($0) } ?? .null],
            "edits": .array(edits),
          ]
        })
    ]
  }
}
