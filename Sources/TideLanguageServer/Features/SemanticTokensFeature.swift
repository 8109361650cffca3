import TideCheck
import TideSystem

/// Semantic tokens for names that a generic Lua server does not know, also inside binding
/// expressions.
struct SemanticTokensFeature: Feature {
  private static let types = [
    "class", "property", "enumMember", "type", "function", "event", "decorator", "operator",
    "parameter", "macro", "namespace", "string",
  ]

  func capabilities(for client: ClientCapabilities) -> JSONValue {
    [
      "semanticTokensProvider": [
        "legend": [
          "tokenTypes": .array(Self.types.map { .string($0) }), "tokenModifiers": ["declaration"],
        ],
        "full": true, "range": true,
      ]
    ]
  }

  func register(in handlers: inout HandlerTable) {
    handlers.onRequest("textDocument/semanticTokens/full") { params, context in
      guard let question = try ScriptQuestion(params, context) else { return ["data": []] }
      return ["data": data(question, within: 0..<question.script.bytes.count)]
    }
    handlers.onRequest("textDocument/semanticTokens/range") { params, context in
      guard let question = try ScriptQuestion(params, context) else { return ["data": []] }
      let range = question.text.offsets(of: try TextRange(params["range"]))
      return ["data": data(question, within: range)]
    }
  }

  /// The protocol's encoding: five numbers per token, the first two relative to the previous token.
  private func data(_ question: ScriptQuestion, within range: Range<Int>) -> JSONValue {
    var data: [JSONValue] = []
    var last = TextPosition(line: 0, character: 0)
    for token in question.script.semanticTokens where token.range.overlaps(range) {
      let place = question.text.range(of: token.range)
      guard place.start.line == place.end.line else { continue }
      let line = place.start.line - last.line
      let character = place.start.character - (line == 0 ? last.character : 0)
      data += [
        .int(line), .int(character), .int(place.end.character - place.start.character),
        .int(Self.index(of: token.kind)), .int(token.isDeclaration ? 1 : 0),
      ]
      last = place.start
    }
    return .array(data)
  }

  private static func index(of kind: ScriptAnalysis.TokenKind) -> Int {
    switch kind {
    case .model: 0
    case .property: 1
    case .view: 2
    case .viewClass: 3
    case .function: 4
    case .event: 5
    case .transformer: 6
    case .operation: 7
    case .option: 8
    case .style: 9
    case .module: 10
    case .value: 11
    }
  }
}
