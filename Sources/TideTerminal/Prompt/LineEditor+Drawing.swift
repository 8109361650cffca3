import TideSystem
import TideBindings
import TideViews

extension LineEditor {
  /// Draws the prompt over its previous version.
  func draw() {
    let size = device.size
    let layout: PromptLayout
    if let search = state.search {
      let found = search.index.map { history.entries[$0] } ?? ""
      let name = search.index == nil && !search.text.isEmpty ? "no such line" : "search"
      layout = PromptLayout(
        found, caretOffset: found.utf8.count, prompt: "(\(name)) \(search.text): ",
        continuation: state.continuation, width: size.width)
    } else {
      layout = PromptLayout(
        editor.text, caretOffset: editor.caret, prompt: state.prompt,
        continuation: state.continuation,
        width: size.width, colors: colors(editor.text))
    }
    // Only the rows around the caret are drawn if not all fit.
    let room = max(1, size.height - 1)
    let first = max(0, min(layout.caret.y - room + 1, layout.rows.count - room))
    let rows = Array(layout.rows[first..<min(layout.rows.count, first + room)])
    let below = Array(
      columns(of: state.choices, width: size.width).prefix(max(0, room - rows.count)))
    var output = Self.clearing(state.caretRow)
    output += (rows + below).joined(separator: "\r\n")
    let caretRow = layout.caret.y - first
    let up = rows.count + below.count - 1 - caretRow
    if up > 0 { output += "\u{1b}[\(up)A" }
    output += "\r"
    if layout.caret.x > 0 { output += "\u{1b}[\(layout.caret.x)C" }
    write(output)
    state.caretRow = caretRow
  }

  /// The sequence that clears the previous drawing.
  static func clearing(_ caretRow: Int) -> String {
    (caretRow > 0 ? "\u{1b}[\(caretRow)A" : "") + "\r\u{1b}[J"
  }

  /// Converts line ends for a terminal in raw mode.
  static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
  }

  func write(_ text: String) {
    var bytes = Array(text.utf8)
    if !capabilities.isUnicode {
      bytes = text.unicodeScalars.map { $0.isASCII ? UInt8($0.value) : UInt8(ascii: "?") }
    }
    _ = try? device.write(bytes)
  }

  /// Arranges words in as many columns as fit. The words may contain any characters, since they may
  /// be keys of a table.
  private func columns(of words: [String], width: Int) -> [String] {
    let words = words.map { word in
      word.escapingControls.split(separator: "\t", omittingEmptySubsequences: false)
        .joined(separator: " ")
    }
    guard let widest = words.map({ CharacterWidth.of($0) }).max() else { return [] }
    let count = max(1, width / (widest + 2))
    let height = (words.count + count - 1) / count
    return (0..<height).map { row in
      stride(from: row, to: words.count, by: height).map { index in
        words[index] + String(repeating: " ", count: widest - CharacterWidth.of(words[index]) + 2)
      }.joined()
    }
  }
}
