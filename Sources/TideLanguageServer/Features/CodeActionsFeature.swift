import TideCheck
import TideSystem

/// The mends that messages advise, one at a time or all at once.
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
    let text = TextPositions(bytes, encoding: server.documents.encoding)
    let wanted = text.offsets(of: try TextRange(params["range"]))
    let only = params["context"]["only"].array?.compactMap(\.string)
    func isWanted(_ kind: String) -> Bool {
      only?.contains { kind == $0 || kind.hasPrefix($0 + ".") } ?? true
    }
    var actions: [JSONValue] = []
    var sure: [ProblemFix] = []
    for problem in problems {
      try context.cancellation.check()
      guard let fix = problem.fix(in: bytes) else { continue }
      if fix.isSure { sure.append(fix) }
      let place = ProblemRange(in: bytes).range(of: problem)
      let touches = place.lowerBound <= wanted.upperBound && wanted.lowerBound <= place.upperBound
      guard touches, isWanted("quickfix") else { continue }
      let diagnostics = (params["context"]["diagnostics"].array ?? []).filter { diagnostic in
        diagnostic["source"] == "tidelock" && diagnostic["range"] == text.range(of: place).json
      }
      actions.append([
        "title": .string(fix.title), "kind": "quickfix", "isPreferred": .bool(fix.isSure),
        "diagnostics": .array(diagnostics), "edit": edit([fix], uri, text),
      ])
    }
    let apart = Self.apart(sure)
    if isWanted("source.fixAll"), !apart.isEmpty {
      actions.append([
        "title": "Mend all that has one sure mend", "kind": "source.fixAll",
        "edit": edit(apart, uri, text),
      ])
    }
    return .array(actions)
  }

  /// Those that do not touch another.
  private static func apart(_ fixes: [ProblemFix]) -> [ProblemFix] {
    var kept: [ProblemFix] = []
    for fix in fixes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where kept.last.map({ $0.range.upperBound <= fix.range.lowerBound && $0 != fix }) ?? true {
      kept.append(fix)
    }
    return kept
  }

  private func edit(_ fixes: [ProblemFix], _ uri: String, _ text: TextPositions) -> JSONValue {
    let edits = fixes.map { fix -> JSONValue in
      ["range": text.range(of: fix.range).json, "newText": .string(fix.replacement)]
    }
    return ["changes": .object([JSONField(name: uri, value: .array(edits))])]
  }
}
