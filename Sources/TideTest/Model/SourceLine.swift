/// The line of a script at which a problem occurred. Reports show it with the problem.
package struct SourceLine: Sendable, Equatable {
  package var file: String
  package var line: Int
  /// From 1; nil if unknown.
  package var column: Int?
  package var text: String

  /// - Returns: nil if the line does not exist or is blank.
  init?(_ location: Location, in source: String) {
    let lines = source.utf8.split(
      separator: UInt8(ascii: "\n"), maxSplits: location.line, omittingEmptySubsequences: false)
    guard location.line >= 1, location.line <= lines.count else { return nil }
    let text = String(decoding: lines[location.line - 1].prefix(Self.longest), as: UTF8.self)
      .replacing("\t", with: " ").replacing("\r", with: "")
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    (file, line, column) = (location.file, location.line, location.column)
    self.text = text
  }

  private static let longest = 200

  /// Parses the location at the start of a message: `file:line: …` or `file:line:column: …`.
  struct Location: Equatable {
    var file: String
    var line: Int
    var column: Int?

    init?(of message: String) {
      guard let match = message.prefixMatch(of: #/([^\n:]+):([0-9]+):(?:([0-9]+):)? /#),
        let line = Int(match.2)
      else { return nil }
      (file, self.line, column) = (String(match.1), line, match.3.flatMap { Int($0) })
    }

    init(_ file: String, _ line: Int) { (self.file, self.line) = (file, line) }
  }

  /// The line with its number, and a caret below the column if it is known.
  package var excerpt: String {
    let number = "\(line)"
    let margin = String(repeating: " ", count: number.count)
    var excerpt = "  \(number) | \(text)"
    if let column, column >= 1, column <= text.utf8.count + 1 {
      let before = String(decoding: text.utf8.prefix(column - 1), as: UTF8.self).count
      excerpt += "\n  \(margin) | " + String(repeating: " ", count: before) + "^"
    }
    return excerpt
  }
}
