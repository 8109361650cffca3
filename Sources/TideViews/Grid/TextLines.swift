/// Text cut into lines that fit a width.
enum TextLines {
  /// The lines that a text has by itself.
  static func split(_ text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false) { $0.isNewline }
  }

  /// The width of the widest line and the number of lines.
  static func size(of text: String) -> Size {
    if let width = plainWidth(text) { return Size(width: width, height: 1) }
    var width = 0
    var height = 0
    for line in split(text) {
      width = max(width, CharacterWidth.of(line))
      height += 1
    }
    return Size(width: width, height: height)
  }

  /// The width of a text of printable ASCII characters; nil for any other.
  static func plainWidth(_ text: String) -> Int? {
    var width = 0
    for byte in text.utf8 {
      if byte < 0x20 || byte > 0x7E { return nil }
      width += 1
    }
    return width
  }

  /// Breaks lines between words, and within a word that is wider than the width.
  static func wrapped(_ text: String, width: Int) -> [Substring] {
    if width <= 0 { return [] }
    var lines: [Substring] = []
    for line in split(text) { wrap(line, width, into: &lines) }
    return lines
  }

  private static func wrap(_ line: Substring, _ width: Int, into lines: inout [Substring]) {
    var start = line.startIndex
    var used = 0
    // The last place where the line may end: before the spaces, and where the next one begins.
    var breakEnd: Substring.Index?
    var breakNext = start
    var widthToBreak = 0
    var wasSpace = false
    var index = start
    while index < line.endIndex {
      let character = line[index]
      let next = line.index(after: index)
      let own = CharacterWidth.of(character)
      if character == " " {
        if !wasSpace { breakEnd = index }
        breakNext = next
        widthToBreak = used + own
        wasSpace = true
      } else {
        wasSpace = false
        if used + own > width {
          if let end = breakEnd {
            lines.append(line[start..<end])
            start = breakNext
            used -= widthToBreak
            breakEnd = nil
          }
          if used + own > width && index > start {
            lines.append(line[start..<index])
            start = index
            used = 0
          }
        }
      }
      used += own
      index = next
    }
    lines.append(trimmed(line[start...], to: width))
  }

  /// Spaces that hang over the end of the last line are no reason for another one.
  private static func trimmed(_ line: Substring, to width: Int) -> Substring {
    var line = line
    while line.last == " ", CharacterWidth.of(line) > width { line.removeLast() }
    return line
  }

  /// As much of the beginning as fits, with an ellipsis when that is not all.
  static func truncated(_ line: some StringProtocol, width: Int, ellipsis: Character) -> String {
    if CharacterWidth.of(line) <= width { return String(line) }
    if width <= 0 { return "" }
    var kept = ""
    var used = 0
    for character in line {
      let own = CharacterWidth.of(character)
      if used + own > width - 1 { break }
      kept.append(character)
      used += own
    }
    kept.append(ellipsis)
    return kept
  }
}
