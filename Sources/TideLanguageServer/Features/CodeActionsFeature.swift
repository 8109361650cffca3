import TideCheck
import TideScript
import TideSystem

/// Quick fixes for problems, individually or all at once.
struct CodeActionsFeature: Feature {
  func capabilities(for client: ClientCapabilities) -> JSONValue {
    ["codeActionProvider": ["codeActionKinds": ["quickfix", "source.fixAll"]]]
  }

  func register(in handlers: inout HandlerTable) {
    handlers.onRequest("textDocument/codeAction", actions)
  }

  private func actions(_ params: JSONValue, _ context: RequestContext) throws -> JSONValue {
    let server = context.server
    let uri = try RequestContext.uri(in: params)
    let path = server.documents.path(of: uri)
    guard let problems = try server.analysis.problems(of: path),
      let bytes = try server.analysis.bytes(of: path)
    else { return [] }
    let text = server.positions(in: bytes, of: path)
    let ranges = ProblemRange(in: bytes)
    let wanted = text.offsets(of: try TextRange(params["range"]))
    let only = params["context"]["only"].array?.compactMap(\.string)
    func isWanted(_ kind: String) -> Bool {
      only?.contains { kind == $0 || kind.hasPrefix($0 + ".") } ?? true
    }
    var actions: [JSONValue] = []
    var sure: [ProblemFix] = []
    let fixesAll = isWanted("source.fixAll")
    let lines = ScriptLines(bytes)
    for problem in problems {
      try context.cancellation.check()
      let range = ranges.range(of: problem)
      let touches = range.lowerBound <= wanted.upperBound && wanted.lowerBound <= range.upperBound
      guard touches || fixesAll, let fix = problem.fix(in: lines) else { continue }
      if fix.isSure { sure.append(fix) }
      guard touches, isWanted("quickfix") else { continue }
      let diagnostics = (params["context"]["diagnostics"].array ?? []).filter { diagnostic in
        diagnostic["source"] == "tidelock" && diagnostic["range"] == text.range(of: range).json
      }
      actions.append([
        "title": .string(fix.title), "kind": "quickfix", "isPreferred": .bool(fix.isSure),
        "diagnostics": .array(diagnostics), "edit": edit([fix], uri, text),
      ])
    }
    let apart = ProblemFix.apart(sure)
    if fixesAll, !apart.isEmpty {
      actions.append([
        "title": "Fix all that can be fixed safely", "kind": "source.fixAll",
        "edit": edit(apart, uri, text),
      ])
    }
    return .array(actions)
  }

  private func edit(_ fixes: [ProblemFix], _ uri: String, _ text: TextPositions) -> JSONValue {
    let edits = fixes.map { fix -> JSONValue in
      ["range": text.range(of: fix.range).json, "newText": .string(fix.replacement)]
    }
    return ["changes": .object([JSONField(name: uri, value: .array(edits))])]
  }
}
