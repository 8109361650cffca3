import TideCheck
import TideSystem

/// Inlay hints: the types of parameters and of properties in paths, and values of the running app.
struct InlayHintsFeature: Feature {
  func capabilities(for client: ClientCapabilities) -> JSONValue { ["inlayHintProvider": true] }

  func register(in handlers: inout HandlerTable) {
    handlers.onRequest("textDocument/inlayHint") { params, context in
      guard let question = try ScriptQuestion(params, context) else { return [] }
      let range = question.text.offsets(of: try TextRange(params["range"]))
      let hints = question.script.typeHints(in: range).map { hint -> JSONValue in
        [
          "position": question.text.position(of: hint.offset).json,
          "label": .string(": \(hint.text)"), "kind": 1,
        ]
      }
      return .array(hints + Self.values(in: range, question))
    }
  }

  /// The values of properties in the running app.
  private static func values(in range: Range<Int>, _ question: ScriptQuestion) -> [JSONValue] {
    guard let live = question.server.live else { return [] }
    return question.script.livePaths(in: range).compactMap { place in
      guard let value = live.value(of: place.path, in: question.path) else { return nil }
      return [
        "position": question.text.position(of: place.offset).json, "label": .string("= \(value)"),
        "tooltip": "What it holds in the running app.", "paddingLeft": true,
      ]
    }
  }
}
