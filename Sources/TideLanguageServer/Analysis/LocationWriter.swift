import TideCheck
import TideSystem

/// Converts locations in scripts to the protocol's form.
struct LocationWriter {
  private let server: LanguageServer
  private var texts: [String: TextPositions] = [:]
  private var uris: [String: String] = [:]

  init(_ server: LanguageServer) { self.server = server }

  /// A file's text; nil if it cannot be read.
  private mutating func text(of file: String) -> TextPositions? {
    if let known = texts[file] { return known }
    guard let script = try? server.analysis.script(file) else { return nil }
    let text = server.positions(in: script.bytes, of: server.analysis.editedPath(of: file) ?? file)
    texts[file] = text
    return text
  }

  /// The URI of the document for a file, which may have been opened through a symbolic link; the
  /// file's own URI if it is not open.
  mutating func uri(of file: String) -> String {
    if let known = uris[file] { return known }
    let path = SystemPath.absolute(file)
    let shown = server.documents[path: path] == nil ? server.analysis.editedPath(of: path) : nil
    let uri = server.documents.uri(of: shown ?? path)
    uris[file] = uri
    return uri
  }

  /// Whether a file's text is available for computing ranges.
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
