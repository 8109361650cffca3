import TideCheck
import TideSystem

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
