import TideCheck
import TideSystem

/// A request about a script, with the script's analysis and its text for positions.
struct ScriptQuestion {
  let server: LanguageServer
  let path: String
  let script: ScriptAnalysis
  /// The text as the checker reads it.
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
  /// Positions in a script as the checker reads it, without the client's byte order mark.
  func positions(in bytes: [UInt8], of path: String) -> TextPositions {
    let shown = documents[path: path]?.text.bytes
    return TextPositions(
      bytes, encoding: documents.encoding,
      followsMark: shown?.starts(with: [0xef, 0xbb, 0xbf]) ?? false)
  }
}
