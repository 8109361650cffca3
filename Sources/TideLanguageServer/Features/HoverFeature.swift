import TideCheck
import TideScript
import TideSystem

/// Hover: the meaning of the name under the pointer.
struct HoverFeature: Feature {
  func capabilities(for client: ClientCapabilities) -> JSONValue { ["hoverProvider": true] }

  func register(in handlers: inout HandlerTable) {
    handlers.onRequest("textDocument/hover") { params, context in
      guard let question = try ScriptQuestion(params, context) else { return nil }
      let offset = try question.offset(params["position"])
      guard let found = question.script.hover(at: offset) else { return nil }
      let range = question.range(found.range)
      guard let look = LiveLook(at: found.range, question) else {
        return Self.hover(found.text, range)
      }
      throw context.server.answerLater(context) {
        .success(Self.hover(found.text + look.text, range))
      }
    }
  }

  private static func hover(_ text: String, _ range: JSONValue) -> JSONValue {
    ["contents": ["kind": "markdown", "value": .string(text)], "range": range]
  }
}
