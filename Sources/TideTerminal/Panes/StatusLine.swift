import TideViews

/// The line below an app that tells its developer how it is doing.
///
/// ```swift
/// terminal.status = StatusLine("reloaded 1 of 3 modules in 6.2 ms", kind: .good, hint: "? keys")
/// ```
package struct StatusLine: Hashable, Sendable {
  /// How a line looks.
  package enum Kind: Hashable, Sendable {
    /// As other text.
    case plain
    /// In the colour of success.
    case good
    /// In the colour of errors.
    case bad
    /// As other text, for what waits for the person; hints of views do not take its place.
    case waiting
  }

  /// What happened last.
  package var text: String
  /// How it looks.
  package var kind: Kind
  /// What stands at the right, in parts between which there are two blanks. The first one is
  /// always there; the others give way to the text.
  package var hint: String

  /// Makes a line of a text, with a hint at its end.
  package init(_ text: String, kind: Kind = .plain, hint: String = "") {
    self.text = text
    self.kind = kind
    self.hint = hint
  }

  /// The least height of a terminal that has a row to spare for it.
  static let leastHeight = 6

  /// Draws it into a frame's last row. What the focused view says of itself takes the place of good
  /// news, not of bad or of what waits.
  func draw(on frame: Frame, hint tooltip: String? = nil) {
    let row = Rect(x: 0, y: frame.height - 1, width: frame.width, height: 1)
    let style = CellStyle(attributes: .reverse)
    frame.fill(row, style: style)
    let text = kind == .bad || kind == .waiting ? shown : tooltip ?? shown
    let hint = hint(beside: text, in: frame.width)
    let hintWidth = CharacterWidth.of(hint)
    let room = frame.width - 2 - (hint.isEmpty ? 0 : hintWidth + 2)
    frame.write(
      Self.cut(text, to: room), at: Point(x: 1, y: row.y), style: style.with(attributes), clip: row)
    if !hint.isEmpty {
      frame.write(
        hint, at: Point(x: frame.width - hintWidth - 1, y: row.y), style: style, clip: row)
    }
  }

  /// As many of the hint's parts as leave room for the whole text, but never less than the first,
  /// for which the text is cut; all of them where a long text in a wide row has to be cut anyway.
  private func hint(beside text: String, in width: Int) -> String {
    let parts = hint.split(separator: "  ")
    let room = width - 2 - CharacterWidth.of(text)
    for count in stride(from: parts.count, through: 2, by: -1) {
      let start = parts.prefix(count).joined(separator: "  ")
      if CharacterWidth.of(start) + 2 <= room { return start }
    }
    if room < 0, width > CharacterWidth.of(hint) + 24 { return hint }
    guard let first = parts.first.map(String.init) else { return "" }
    return CharacterWidth.of(first) + 2 <= width ? first : ""
  }

  /// A mark tells good from bad without colour.
  private var shown: String {
    switch kind {
    case .plain: text
    case .good: "✓ \(text)"
    case .bad: "✗ \(text)"
    case .waiting: "… \(text)"
    }
  }

  private var attributes: CellStyle.Attributes { kind == .bad ? .bold : [] }

  /// A text of one line that is no wider than that.
  static func cut(_ text: String, to width: Int) -> String {
    let text = String(text.map { $0.isNewline ? " " : $0 })
    if width <= 0 { return "" }
    if CharacterWidth.of(text) <= width { return text }
    var kept = ""
    var used = 0
    for character in text {
      used += CharacterWidth.of(character)
      if used >= width { break }
      kept.append(character)
    }
    return kept + "…"
  }
}
