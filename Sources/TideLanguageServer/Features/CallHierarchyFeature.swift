import TideCheck
import TideSystem

/// The call hierarchy: the callers and callees of functions in all scripts of the app.
struct CallHierarchyFeature: Feature {
  func capabilities(for client: ClientCapabilities) -> JSONValue {
    ["callHierarchyProvider": true]
  }

  func register(in handlers: inout HandlerTable) {
    handlers.onRequest("textDocument/prepareCallHierarchy") { params, context in
      guard let question = try ScriptQuestion(params, context),
        let found = question.script.function(at: try question.offset(params["position"]))
      else { return nil }
      var writer = LocationWriter(context.server)
      return [Self.item(found, &writer)]
    }
    handlers.onRequest("callHierarchy/incomingCalls") { params, context in
      guard let question = try Self.question(params, context) else { return [] }
      let offset = try question.offset(params["item"]["selectionRange"]["start"])
      var writer = LocationWriter(context.server)
      return .array(
        question.script.callers(ofFunctionAt: offset).map { function, calls in
          [
            "from": Self.item(function, &writer),
            "fromRanges": Self.ranges(calls, function.file, &writer),
          ]
        })
    }
    handlers.onRequest("callHierarchy/outgoingCalls") { params, context in
      guard let question = try Self.question(params, context) else { return [] }
      let range = question.text.offsets(of: try TextRange(params["item"]["range"]))
      var writer = LocationWriter(context.server)
      return .array(
        question.script.callees(in: range).map { function, calls in
          [
            "to": Self.item(function, &writer),
            "fromRanges": Self.ranges(calls, question.script.path, &writer),
          ]
        })
    }
  }

  private static func question(
    _ params: JSONValue, _ context: RequestContext
  ) throws -> ScriptQuestion? {
    try ScriptQuestion(["textDocument": ["uri": params["item"]["uri"]]], context)
  }

  private static func item(
    _ function: ScriptAnalysis.Function, _ writer: inout LocationWriter
  ) -> JSONValue {
    let whole = ScriptAnalysis.Location(file: function.file, range: function.range)
    let name = ScriptAnalysis.Location(file: function.file, range: function.selection)
    return [
      "name": .string(function.name), "kind": 12, "uri": .string(writer.uri(of: function.file)),
      "range": writer.range(whole), "selectionRange": writer.range(name),
    ]
  }

  private static func ranges(
    _ calls: [Range<Int>], _ file: String, _ writer: inout LocationWriter
  ) -> JSONValue {
    .array(calls.map { writer.range(ScriptAnalysis.Location(file: file, range: $0)) })
  }
}
