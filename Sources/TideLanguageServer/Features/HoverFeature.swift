import TideCheck
import TideSystem

/// What the name under the pointer means.
struct HoverFeature: Feature {
  func capabilities(for client: ClientCapabilities) -> JSONValue { ["hoverProvider": true] }

  func register(in handlers: inout HandlerTable) {
    handlers.onRequest("textDocument/hover") { params, context in
      guard let question = try ScriptQuestion(params, context),
        let found = question.script.hover(at: try question.offset(params["position"]))
      else { return nil }
      let live = Self.causes(of: found.range, question)
      return [
        "contents": ["kind": "markdown", "value": .string(found.text + live)],
        "range": question.range(found.range),
      ]
    }
  }

  /// What the property holds in the running app, and why.
  private static func causes(of name: Range<Int>, _ question: ScriptQuestion) -> String {
    guard let live = question.server.live,
      let path = question.script.livePaths(in: 0..<question.script.bytes.count).first(where: {
        $0.name == name
      })?.path,
      let value = live.value(of: path, in: question.path)
    else { return "" }
    let causes = live.ask(":why \(path)", seconds: 0.15) ?? ""
    return "\n\nIn the running app: `\(value)`"
      + (causes.isEmpty ? "" : "\n\n```\n\(causes)\n```")
  }
}
