import TideSystem

/// A tool that an assistant may call.
struct MCPTool {
  let name: String
  let title: String
  let description: String
  /// The schemas of the arguments, in order; those that must be given come first.
  let arguments: [Argument]
  /// Whether it changes nothing.
  let isReadOnly: Bool

  struct Argument {
    let name: String
    let type: String
    let description: String
    var isRequired = false
  }

  /// The description in the protocol.
  var json: JSONValue {
    var properties = JSONValue.object([])
    for argument in arguments {
      var schema: JSONValue = [
        "type": .string(argument.type), "description": .string(argument.description),
      ]
      if argument.type == "array" { schema["items"] = ["type": "string"] }
      properties[argument.name] = schema
    }
    return [
      "name": .string(name), "title": .string(title), "description": .string(description),
      "inputSchema": [
        "type": "object", "properties": properties,
        "required": .array(arguments.filter(\.isRequired).map { .string($0.name) }),
        "additionalProperties": false,
      ],
      "annotations": [
        "title": .string(title), "readOnlyHint": .bool(isReadOnly),
        "destructiveHint": .bool(!isReadOnly), "openWorldHint": false,
      ],
    ]
  }

  /// Why arguments are wrong; nil if they follow the schema.
  func problem(in given: JSONValue) -> String? {
    for field in given.fields ?? [] {
      guard let argument = arguments.first(where: { $0.name == field.name }) else {
        let names = arguments.map(\.name).joined(separator: ", ")
        return "\(name) takes no \"\(field.name)\"; it takes \(names.isEmpty ? "nothing" : names)"
      }
      let fits =
        switch argument.type {
        case "string": field.value.string != nil
        case "integer": field.value.int != nil
        case "number": field.value.double != nil
        default: field.value.array?.allSatisfy { $0.string != nil } ?? false
        }
      if !fits { return "\"\(field.name)\" of \(name) is of type \(argument.type)" }
    }
    let missing = arguments.first { $0.isRequired && given[$0.name].isNull }
    return missing.map { "\(name) needs \"\($0.name)\": \($0.description)" }
  }

  /// All tools, in the order in which they are listed.
  static let all: [MCPTool] = {
    let page = Argument(
      name: "page", type: "integer", description: "The page of a long answer, from 1.")
    let id = Argument(
      name: "id", type: "string", description: "The id or the unique title of a view.")
    let path = Argument(
      name: "path", type: "string", description: "model.property, or a view's id and property.",
      isRequired: true)
    func required(_ name: String, _ type: String = "string", _ description: String) -> Argument {
      Argument(name: name, type: type, description: description, isRequired: true)
    }
    return [
      MCPTool(
        name: "tree", title: "Views",
        description: "The views with ids, texts, states and rectangles.",
        arguments: [id, page], isReadOnly: true),
      MCPTool(
        name: "capture", title: "Picture",
        description: "The picture of the app as text, as SVG, or as an image.",
        arguments: [
          id, Argument(name: "format", type: "string", description: "text (default), svg or png."),
          page,
        ], isReadOnly: true),
      MCPTool(
        name: "act", title: "Act",
        description:
          "Performs verbs of tidelock drive in order, such as: tap add; type name \"Ada\"; keys Tab Enter; select list 2. Stops at the first that fails.",
        arguments: [required("verbs", "array", "One verb with its arguments each.")],
        isReadOnly: false),
      MCPTool(
        name: "get", title: "Value", description: "The value of a property or an object, as JSON.",
        arguments: [path, page], isReadOnly: true),
      MCPTool(
        name: "set", title: "Set", description: "Sets a property to the value of a Lua expression.",
        arguments: [path, required("value", "string", "A Lua expression.")], isReadOnly: false),
      MCPTool(
        name: "evaluate", title: "Evaluate",
        description: "Runs Lua in the app, and gives the values.",
        arguments: [required("code", "string", "Lua statements or an expression."), page],
        isReadOnly: false),
      MCPTool(
        name: "why", title: "Causes",
        description: "The causes of a property's value, the latest first.",
        arguments: [path, page], isReadOnly: true),
      MCPTool(
        name: "errors", title: "Errors", description: "The errors that the app lists.",
        arguments: [page], isReadOnly: true),
      MCPTool(
        name: "wait", title: "Wait", description: "Waits until a Lua expression is true.",
        arguments: [
          required("expression", "string", "A Lua expression over models and views."),
          Argument(name: "timeout", type: "number", description: "Seconds (default: 10)."),
        ], isReadOnly: false),
      MCPTool(
        name: "reload_status", title: "Status",
        description: "The app's name, files, budgets, uptime and last reload.", arguments: [],
        isReadOnly: true),
      MCPTool(
        name: "check", title: "Check",
        description: "The mistakes that a static check finds in the app's scripts, or in others.",
        arguments: [
          Argument(
            name: "paths", type: "array", description: "Scripts or folders (default: the app's)."),
          page,
        ], isReadOnly: true),
      MCPTool(
        name: "test", title: "Test", description: "Runs the specs of the app's folder.",
        arguments: [
          Argument(
            name: "filter", type: "string", description: "A Lua pattern for the tests' names."),
          page,
        ], isReadOnly: false),
      MCPTool(
        name: "logs", title: "Printed lines",
        description: "What the app has printed since the last call.",
        arguments: [page], isReadOnly: true),
      MCPTool(
        name: "reference", title: "Reference",
        description:
          "Names of the API with their syntax and meaning, by a name or words; verbs lists those of act.",
        arguments: [required("query", "string", "A name, such as list:append, or words."), page],
        isReadOnly: true),
    ]
  }()
}
