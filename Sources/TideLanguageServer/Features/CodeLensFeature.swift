import TideCheck
import TideSystem

/// Commands above parts of a script: run a test, list a property's bindings, show the view.
struct CodeLensFeature: Feature {
  func capabilities(for client: ClientCapabilities) -> JSONValue {
    ["codeLensProvider": ["resolveProvider": true]]
  }

  func register(in handlers: inout HandlerTable) {
    handlers.onRequest("textDocument/codeLens") { params, context in
      guard let question = try ScriptQuestion(params, context) else { return [] }
      let uri = try RequestContext.uri(in: params)
      return .array(Self.lenses(question, uri))
    }
    handlers.onRequest("codeLens/resolve", resolve)
  }

  private static func lenses(_ question: ScriptQuestion, _ uri: String) -> [JSONValue] {
    let script = question.script
    var lenses: [JSONValue] = script.tests.map { test in
      let range = question.text.range(of: test.range)
      return [
        "range": range.json,
        "command": [
          "title": "Run test", "command": "tidelock.runTest",
          "arguments": [
            [
              "file": .string(question.path), "name": .string(test.name),
              "line": .int(range.start.line),
            ]
          ],
        ],
      ]
    }
    // Counting bindings requires analysing the whole app, so it is left to `codeLens/resolve`.
    lenses += script.declaredProperties.map { property in
      [
        "range": question.range(property),
        "data": [
          "uri": .string(uri), "position": question.text.position(of: property.lowerBound).json,
        ],
      ]
    }
    if let shown = script.shownView {
      lenses.append([
        "range": question.range(shown.lowerBound..<shown.lowerBound),
        "command": [
          "title": "Preview", "command": "tidelock.preview", "arguments": [["uri": .string(uri)]],
        ],
      ])
    }
    return lenses
  }

  private func resolve(_ lens: JSONValue, _ context: RequestContext) throws -> JSONValue {
    guard let uri = lens["data"]["uri"].string else { return lens }
    var lens = lens
    let position = lens["data"]["position"]
    let params: JSONValue = ["textDocument": ["uri": .string(uri)], "position": position]
    var places: [JSONValue] = []
    if let question = try ScriptQuestion(params, context) {
      var writer = LocationWriter(context.server)
      places = question.script.bindings(ofPropertyAt: try question.offset(position))
        .map { writer.json($0) }
    }
    let title = places.count == 1 ? "1 binding" : "\(places.count) bindings"
    lens["command"] = [
      "title": .string(title), "command": "tidelock.showReferences",
      "arguments": [.string(uri), position, .array(places)],
    ]
    return lens
  }
}
