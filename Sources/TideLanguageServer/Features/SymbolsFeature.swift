import TideCheck
import TideSystem

/// The symbols of a document and of the workspace, folding ranges and selection ranges.
struct SymbolsFeature: Feature {
  func capabilities(for client: ClientCapabilities) -> JSONValue {
    [
      "documentSymbolProvider": true, "workspaceSymbolProvider": true,
      "foldingRangeProvider": true, "selectionRangeProvider": true,
    ]
  }

  func register(in handlers: inout HandlerTable) {
    handlers.onRequest("textDocument/documentSymbol") { params, context in
      guard let question = try ScriptQuestion(params, context) else { return [] }
      return .array(question.script.outline.map { symbol($0, question) })
    }
    handlers.onRequest("workspace/symbol", workspaceSymbols)
    handlers.onRequest("textDocument/foldingRange") { params, context in
      guard let question = try ScriptQuestion(params, context) else { return [] }
      return .array(
        question.script.foldingRanges.map { range, isComment in
          let range = question.text.range(of: range)
          var json: JSONValue = [
            "startLine": .int(range.start.line),
            // The line that closes a block stays visible.
            "endLine": .int(max(range.start.line, isComment ? range.end.line : range.end.line - 1)),
          ]
          if isComment { json["kind"] = "comment" }
          return json
        })
    }
    handlers.onRequest("textDocument/selectionRange") { params, context in
      guard let question = try ScriptQuestion(params, context) else { return nil }
      return .array(
        try (params["positions"].array ?? []).map { position in
          let ranges = question.script.selectionRanges(at: try question.offset(position))
          var json: JSONValue = nil
          for range in ranges.reversed() {
            let parent = json
            json = ["range": question.range(range)]
            if !parent.isNull { json["parent"] = parent }
          }
          return json
        })
    }
  }

  private func symbol(_ item: ScriptAnalysis.OutlineItem, _ question: ScriptQuestion) -> JSONValue {
    var json: JSONValue = [
      "name": .string(item.name.isEmpty ? "\"\"" : item.name),
      "kind": .int(Self.kind(of: item.kind)),
      "range": question.range(item.range), "selectionRange": question.range(item.selection),
    ]
    if !item.detail.isEmpty { json["detail"] = .string(item.detail) }
    if !item.children.isEmpty {
      json["children"] = .array(item.children.map { symbol($0, question) })
    }
    return json
  }

  private static func kind(of kind: ScriptAnalysis.OutlineItem.Kind) -> Int {
    switch kind {
    case .model: 23
    case .property: 7
    case .function: 12
    case .component: 5
    case .transformer: 25
    case .view: 19
    case .test: 6
    case .variable: 13
    }
  }

  private static let symbolLimit = 500

  private func workspaceSymbols(
    _ params: JSONValue, _ context: RequestContext
  ) throws -> JSONValue {
    let query = params["query"].string?.lowercased() ?? ""
    var writer = LocationWriter(context.server)
    var found: [JSONValue] = []
    for file in try context.server.analysis.files {
      try context.cancellation.check()
      guard let script = try context.server.analysis.script(file) else { continue }
      func add(_ items: [ScriptAnalysis.OutlineItem], in container: String) {
        for item in items where found.count < Self.symbolLimit {
          if Self.matches(item.name, query) {
            var json: JSONValue = [
              "name": .string(item.name), "kind": .int(Self.kind(of: item.kind)),
              "location": writer.json(
                ScriptAnalysis.Location(file: script.path, range: item.selection)),
            ]
            if !container.isEmpty { json["containerName"] = .string(container) }
            found.append(json)
          }
          add(item.children, in: item.name)
        }
      }
      add(script.outline, in: "")
    }
    return .array(found)
  }

  /// Whether a name contains the letters of a query in order.
  private static func matches(_ name: String, _ query: String) -> Bool {
    var rest = query[...]
    for letter in name.lowercased() where letter == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }
}
