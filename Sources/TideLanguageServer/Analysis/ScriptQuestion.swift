import TideCheck
import TideSystem

/// A request about a script, with the script's analysis and its text for positions.
struct ScriptQuestion {
  let server: LanguageServer
  let path: String
  let script: ScriptAnalysis
  /// The text as the checker has it.
  let text: TextPositions

  /// Nil for a document that cannot be parsed, such as an empty one.
  init?(_ params: JSONValue, _ context: RequestContext) throws {
    server = context.server
    path = server.documents.path(of: try RequestContext.uri(in: params))
    try context.cancellation.check()
    guard let script = try server.analysis.script(path) else { return nil }
    self.script = script
    text = server.positions(in: script.bytes, of: path)
  }

  /// The byte offset of a position from the client.
  func offset(_ position: JSONValue) throws -> Int {
    text.offset(of: try TextPosition(position))
  }

  func range(_ bytes: Range<Int>) -> JSONValue { text.range(of: bytes).json }
}

extension LanguageServer {
  /// Positions in a script as the checker reads it, which leaves out the client's byte order mark.
  func positions(in bytes: [UInt8], of path: String) -> TextPositions {
    let shown = documents[path: path]?.text.bytes
    return TextPositions(
      bytes, encoding: documents.encoding,
      followsMark: shown?.starts(with: [0xef, 0xbb, 0xbf]) ?? false)
  }
}

/// Converts locations in scripts into the protocol's.
struct LocationWriter {
  private let server: LanguageServer
  private var texts: [String: TextPositions] = [:]

  init(_ server: LanguageServer) { self.server = server }

  /// A file's text; nil if it cannot be read.
  private mutating func text(of file: String) -> TextPositions? {
    if let known = texts[file] { return known }
    guard let script = try? server.analysis.script(file) else { return nil }
    let text = server.positions(in: script.bytes, of: file)
    texts[file] = text
    return text
  }

  func uri(of file: String) -> String { server.documents.uri(of: SystemPath.absolute(file)) }

  /// Whether a file's text is known, so that its parts have ranges.
  mutating func knows(_ file: String) -> Bool { text(of: file) != nil }

  mutating func range(_ location: ScriptAnalysis.Location) -> JSONValue {
    let range = text(of: location.file)?.range(of: location.range)
    let start = TextPosition(line: 0, character: 0)
    return (range ?? TextRange(start: start, end: start)).json
  }

  mutating func json(_ location: ScriptAnalysis.Location) -> JSONValue {
    ["uri": .string(uri(of: location.file)), "range": range(location)]
  }
}
