import TideCheck
import TideSystem

/// Completion at the caret, and the signature of the call around it.
struct CompletionFeature: Feature {
  func capabilities(for client: ClientCapabilities) -> JSONValue {
    [
      "completionProvider": [
        "triggerCharacters": [".", ":", "\"", "'", "@", "|", " ", ">", "{", ","],
        "resolveProvider": false,
      ],
      "signatureHelpProvider": ["triggerCharacters": ["(", ","], "retriggerCharacters": [","]],
    ]
  }

  func register(in handlers: inout HandlerTable) {
    handlers.onRequest("textDocument/completion") { params, context in
      guard let question = try ScriptQuestion(params, context) else { return nil }
      let caret = try question.offset(params["position"])
      let isTyped = params["context"]["triggerCharacter"].string == " "
      let found = question.script.completions(at: caret)
      // A blank triggers completion only inside a string, where a name of an expression may follow.
      if isTyped, !question.script.isInString(caret) { return nil }
      return list(found, question)
    }
    handlers.onRequest("textDocument/signatureHelp") { params, context in
      guard let question = try ScriptQuestion(params, context),
        let found = question.script.signature(at: try question.offset(params["position"]))
      else { return nil }
      return signatures(found.signatures, argument: found.argument)
    }
  }

  private func list(_ found: ScriptAnalysis.Completions, _ question: ScriptQuestion) -> JSONValue {
    let range = question.range(found.range)
    let items = found.candidates.enumerated().map { index, candidate -> JSONValue in
      var item: JSONValue = [
        "label": .string(candidate.name), "kind": .int(Self.kind(of: candidate.kind)),
        "sortText": .string(Self.digits(index)),
        "textEdit": ["range": range, "newText": .string(candidate.name)],
      ]
      if !candidate.detail.isEmpty { item["detail"] = .string(candidate.detail) }
      if !candidate.documentation.isEmpty {
        item["documentation"] = [
          "kind": "markdown", "value": .string(Markdown.harmless(candidate.documentation)),
        ]
      }
      return item
    }
    return ["isIncomplete": false, "items": .array(items)]
  }

  /// A sort key that keeps candidates in the order in which they were found, the likeliest first.
  private static func digits(_ index: Int) -> String {
    let text = "\(index)"
    return String(repeating: "0", count: max(0, 5 - text.count)) + text
  }

  private static func kind(of kind: Candidate.Kind) -> Int {
    switch kind {
    case .variable: 6
    case .function: 3
    case .method: 2
    case .property: 10
    case .model: 22
    case .view: 18
    case .viewClass: 7
    case .transformer: 24
    case .event: 23
    case .style: 16
    case .module: 9
    case .option: 5
    case .value: 12
    case .operation: 24
    case .keyword: 14
    }
  }

  private func signatures(_ signatures: [SignatureText], argument: Int) -> JSONValue {
    let fitting = signatures.firstIndex { $0.parameters.count > argument } ?? 0
    return [
      "signatures": .array(
        signatures.map { signature in
          var json: JSONValue = [
            "label": .string(signature.text),
            "parameters": .array(signature.parameters.map { ["label": .string($0)] }),
          ]
          if !signature.summary.isEmpty {
            json["documentation"] = ["kind": "markdown", "value": .string(signature.summary)]
          }
          return json
        }),
      "activeSignature": .int(fitting), "activeParameter": .int(argument),
    ]
  }
}
