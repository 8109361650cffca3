import TideViews

/// Wraps a text between words, and within a word that is wider than a line.
///
/// ```swift
/// WordWrap.lines("attempt to index a nil value", width: 12)
/// // ["attempt to", "index a nil", "value"]
/// ```
enum WordWrap {
  /// - Parameter width: in cells, at least 1.
  static func lines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, CharacterWidth.of(last) + 1 + CharacterWidth.of(word) <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines += pieces(of: word, width: width)
      }
    }
    return lines
  }

  private static func pieces(of word: Substring, width: Int) -> [String] {
    if CharacterWidth.of(word) <= width { return [String(word)] }
    var pieces: [String] = []
    var piece = ""
    var taken = 0
    for character in word {
      let cells = CharacterWidth.of(character)
      if taken + cells > width, !piece.isEmpty {
        pieces.append(piece)
        (piece, taken) = ("", 0)
      }
      piece.append(character)
      taken += cells
    }
    return pieces + [piece]
  }
}
