import TideCheck
import TideSystem

/// Definitions, references, highlights and renaming.
struct NavigationFeature: Feature {
  func capabilities(for client: ClientCapabilities) -> JSONValue {
    [
      "definitionProvider": true, "referencesProvider": true, "documentHighlightProvider": true,
      "renameProvider": ["prepareProvider": true],
    ]
  }

  func register(in handlers: inout HandlerTable) {
    handlers.onRequest("textDocument/definition") { params, context in
      guard let question = try ScriptQuestion(params, context) else { return [] }
      var writer = LocationWriter(context.server)
      let found = question.script.definitions(at: try question.offset(params["position"]))
      return .array(found.map { writer.json($0) })
    }
    handlers.onRequest("textDocument/references") { params, context in
      guard let question = try ScriptQuestion(params, context) else { return [] }
      var writer = LocationWriter(context.server)
      let isWhole = params["context"]["includeDeclaration"].bool ?? true
      let found = question.script.references(at: try question.offset(params["position"]))
      return .array(
        found.filter { isWhole || !$0.isDeclaration }.map { writer.json($0.location) })
    }
    handlers.onRequest("textDocument/documentHighlight") { params, context in
      guard let question = try ScriptQuestion(params, context) else { return [] }
      let found = question.script.references(at: try question.offset(params["position"]))
      let own = found.filter { $0.location.file == question.script.path }
      return .array(
        own.map { reference in
          let isWriting = reference.isWriting || reference.isDeclaration
          return ["range": question.range(reference.location.range), "kind": isWriting ? 3 : 2]
        })
    }
    handlers.onRequest("textDocument/prepareRename") { params, context in
      guard let question = try ScriptQuestion(params, context),
        let found = question.script.renamableName(at: try question.offset(params["position"]))
      else { return nil }
      return ["range": question.range(found.range), "placeholder": .string(found.name)]
    }
    handlers.onRequest("textDocument/rename", rename)
  }

  private func rename(_ params: JSONValue, _ context: RequestContext) throws -> JSONValue {
    guard let name = params["newName"].string else {
      throw ResponseError(.invalidParams, "newName is missing")
    }
    guard let question = try ScriptQuestion(params, context) else { return nil }
    let offset = try question.offset(params["position"])
    guard let found = question.script.renamableName(at: offset) else {
      throw ResponseError(.requestFailed, "there is no name here that a script of the app declares")
    }
    if let reason = question.script.objection(toRenaming: offset, name) {
      throw ResponseError(.requestFailed, reason)
    }
    var writer = LocationWriter(context.server)
    var edits = WorkspaceEdit()
    for reference in question.script.references(at: offset) {
      try context.cancellation.check()
      guard writer.knows(reference.location.file) else {
        throw ResponseError(
          .requestFailed, "\(reference.location.file) also names it, but cannot be read")
      }
      edits.add(
        writer.range(reference.location), name, in: writer.uri(of: reference.location.file))
    }
    warn(of: question.script.uncertainReferences(at: offset), found.name, context.server)
    return edits.json(for: context.server)
  }

  /// Warns the user about occurrences that may have been missed.
  private func warn(of count: Int, _ name: String, _ server: LanguageServer) {
    guard count > 0 else { return }
    let places = count == 1 ? "One place names" : "\(count) places name"
    server.notify(
      "window/showMessage",
      [
        "type": 2,
        "message": .string(
          "\(places) a \"\(name)\" whose owner's type is unknown; check those yourself"),
      ])
  }
}
