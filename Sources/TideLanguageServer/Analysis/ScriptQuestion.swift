import TideCheck
import TideSystem

/// A request about a script: what the checker knows of it, and where in it the client asks.
struct ScriptQuestion {
  let server: LanguageServer
  let path: String
  let script: ScriptAnalysis
  /// The text as the checker has it.
  let text: TextPositions

  /// Nil for a document of which no tree can be made, such as an empty one.
  init?(_ params: JSONValue, _ context: RequestContext) throws {
    server = context.server
    path = server.documents.path(of: try RequestContext.uri(in: params))
    try context.cancellation.check()
    guard let script = try server.analysis.script(path) else { return nil }
    self.script = script
    text = TextPositions(script.bytes, encoding: server.documents.encoding)
  }

  /// The byte that a position of the client's means.
  func offset(_ position: JSONValue) throws -> Int {
    text.offset(of: try TextPosition(position))
  }

  func range(_ bytes: Range<Int>) -> JSONValue { text.range(of: bytes).json }
}

/// Turns places of scripts into the client's.
struct LocationWriter {
  private let server: LanguageServer
  private var texts: [String: TextPositions] = [:]

  init(_ server: LanguageServer) { self.server = server }

  /// A file's text; nil where it can't be read.
  private mutating func text(of file: String) -> TextPositions? {
    if let known = texts[file] { return known }
    guard let script = try? server.analysis.script(file) else { return nil }
    let text = TextPositions(script.bytes, encoding: server.documents.encoding)
    texts[file] = text
    return text
  }

  func uri(of file: String) -> String { server.documents.uri(of: SystemPath.absolute(file)) }

  mutating func range(_ location: ScriptAnalysis.Location) -> JSONValue {
    let range = text(of: location.file)?.range(of: location.range)
    let start = TextPosition(line: 0, character: 0)
    return (range ?? TextRange(start: start, end: start)).json
  }

  mutating func json(_ location: ScriptAnalysis.Location) -> JSONValue {
    ["uri": .string(uri(of: location.file)), "range": range(location)]
  }
}
