import TideSystem
import TideBindings
import TideViews

/// The rows of a text with its prompt, and the position of the caret in them.
///
///     > local function f()
///     …   return 1
///     … end
///
/// Lines wider than the terminal wrap to the next row.
struct PromptLayout: Equatable {
  private(set) var rows: [String] = [""]
  /// The position of the caret, relative to the beginning of the first row.
  private(set) var caret = Point.zero

  /// - Parameters:
  ///   - caretOffset: the caret's offset in bytes of the text.
  ///   - width: the number of columns of the terminal.
  init(
    _ text: String, caretOffset: Int, prompt: String, continuation: String, width: Int,
    colors: [(range: Range<Int>, codes: String)] = []
  ) {
    let width = max(2, width)
    rows = [prompt]
    var column = CharacterWidth.of(prompt)
    var offset = 0
    var colors = colors[...]
    var isColored = false
    for character in text {
      if isColored, let first = colors.first, offset >= first.range.upperBound {
        setColor(nil, &isColored)
        colors.removeFirst()
      }
      if !isColored, let first = colors.first, first.range.contains(offset), !character.isNewline {
        setColor(first.codes, &isColored)
      }
      if offset == caretOffset { caret = Point(x: column, y: rows.count - 1) }
      offset += character.utf8.count
      if character.isNewline {
        // Each row sets its own colours.
        setColor(nil, &isColored)
        rows.append(continuation)
        column = CharacterWidth.of(continuation)
        continue
      }
      let shown = Self.shown(character)
      let own = CharacterWidth.of(shown)
      if column + own > width {
        let codes = isColored ? colors.first?.codes : nil
        setColor(nil, &isColored)
        rows.append("")
        if let codes { setColor(codes, &isColored) }
        column = 0
      }
      rows[rows.count - 1] += shown
      column += own
    }
    setColor(nil, &isColored)
    if caretOffset >= offset {
      if column >= width {
        rows.append("")
        column = 0
      }
      caret = Point(x: column, y: rows.count - 1)
    } else if caret.x >= width {
      // Before a character that did not fit on the row, the caret moves to the next row with it.
      caret = Point(x: 0, y: caret.y + 1)
    }
  }

  private mutating func setColor(_ codes: String?, _ isColored: inout Bool) {
    if codes == nil, !isColored { return }
    rows[rows.count - 1] += "\u{1b}[\(codes ?? "0")m"
    isColored = codes != nil
  }

  /// Replaces a tab by spaces, and characters that would control the terminal.
  private static func shown(_ character: Character) -> String {
    if character == "\t" { return "    " }
    let isControl = character.unicodeScalars.contains(where: \.steersTerminals)
    return isControl ? "\u{FFFD}" : String(character)
  }
}
