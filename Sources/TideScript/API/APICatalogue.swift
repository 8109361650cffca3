import TideLua

/// The description of the script API. It is the source of the functions' argument errors, the
/// definitions for editors, help, completion and the reference.
///
/// Each section is in the file of its implementation.
package enum APICatalogue {
  package static let sections: [APISection] = [
    .objects,
    .markers,
    .lists,
    .derivedLists,
    .feeds,
    .observation,
    .bindings,
    .transformers,
    .triggers,
    .contexts,
    .controllers,
    .events,
    .time,
    .tasks,
    .app,
    .ending,
    .views,
    .questions,
    .undo,
    .styles,
    .rich,
    .strings,
    .hot,
    .log,
    .json,
    .resources,
    .files,
    .processes,
    .http,
    .stores,
    .sessions,
    .sharing,
    .viewers,
    .standardInput,
    .causes,
    .modules,
  ]

  package static let entries = sections.flatMap(\.entries)

  /// The names for help and completion.
  package static let names = entries.map(\.name).sorted()

  /// A one-line description of a name.
  package static func help(for name: String) -> String? {
    let entry =
      entries.first { $0.name == name } ?? entries.first { $0.example == name && !$0.isFunction }
    return entry?.help
  }
}

/// A part of the API that one article is about.
package struct APISection: Sendable {
  /// The article's name in the documentation.
  package let article: String
  package let entries: [APIEntry]
  /// The types of parameters and results, in the syntax of lua-language-server.
  let types: String

  init(article: String, entries: [APIEntry], types: String = "") {
    self.article = article
    self.entries = entries
    self.types = types
  }

  /// The fields and methods of one of its types: for `Store`, those of `---@class tidelock.Store`.
  package func members(of type: String) -> Set<String> {
    var members: Set<String> = []
    var isInside = false
    for line in types.split(separator: "\n") {
      if line.hasPrefix("---@class ") {
        let rest = line.dropFirst("---@class tidelock.".count)
        isInside = rest.prefix { $0.isLetter } == type
      } else if isInside, line.hasPrefix("---@field ") {
        members.insert(String(line.dropFirst("---@field ".count).prefix { $0.isLetter }))
      } else if line.hasPrefix("function \(type):") {
        members.insert(String(line.dropFirst("function \(type):".count).prefix { $0.isLetter }))
      }
    }
    return members
  }

  /// The whole section in the syntax of lua-language-server.
  package var definitions: String {
    let parts = (types.isEmpty ? [] : [types + "\n"]) + entries.map(\.definition)
    return parts.map { $0 + "\n" }.joined()
  }
}

/// A name of the API.
///
/// ```swift
/// static let now = APIEntry("now()", "Seconds since the epoch.", "@return number")
/// try define(.now) { [unowned self] call in call.return(loop.wallTime()) }
/// ```
package struct APIEntry: Sendable {
  /// The signature of a function; for anything else only the name.
  let signature: Signature
  /// An example of its use.
  package let usage: String
  /// A one-sentence description.
  package let summary: String
  /// The version that first had it.
  package let since: String
  /// The types, as lines of `@param`, `@return` and similar annotations.
  let annotations: String

  /// - Parameter takesMore: whether overloads accept more arguments.
  init(
    _ signature: Signature, usage: String? = nil, takesMore: Bool = false, since: String = "0.1.0",
    _ summary: String, _ annotations: String = ""
  ) {
    self.signature = takesMore ? signature.takingMore : signature
    self.usage = usage ?? signature.text
    self.since = since
    self.summary = summary
    self.annotations = annotations
  }

  package var name: String { signature.name }
  /// The name within its table: `begin` of `context.begin`.
  var memberName: String { String(name.drop { $0 != "." }.dropFirst()) }
  package var isFunction: Bool { signature.text != signature.name }
  /// The name that the usage begins with: `view.label` of the table `view`.
  var example: Substring {
    usage.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
  }
  package var help: String { "\(usage)  \(summary)" }

  /// In the syntax of lua-language-server.
  package var definition: String {
    let lines = [summary] + annotations.split(separator: "\n").map(String.init)
    let comment = lines.map { "---\($0)\n" }.joined()
    return comment + (isFunction ? "function \(signature.text) end\n" : "\(name) = {}\n")
  }
}
