import TideViews

/// The line below an app that shows its state to the developer.
///
/// ```swift
/// terminal.status = StatusLine("reloaded 1 of 3 modules in 6.2 ms", kind: .good, hint: "? keys")
/// ```
package struct StatusLine: Hashable, Sendable {
  /// The appearance of a status line.
  package enum Kind: Hashable, Sendable {
    /// Ordinary text.
    case plain
    /// The colour of success.
    case good
    /// The colour of errors.
    case bad
    /// Ordinary text about something that waits for the user; tooltips of views do not replace it.
    case waiting
  }

  /// The latest event.
  package var text: String
  /// Its appearance.
  package var kind: Kind
  /// The text at the right end, in parts separated by two spaces. The first part is always shown;
  /// the others are dropped if the text needs the space.
  package var hint: String

  /// Makes a status line with a hint at the right end.
  package init(_ text: String, kind: Kind = .plain, hint: String = "") {
    self.text = text
    self.kind = kind
    self.hint = hint
  }

  /// The minimum height of a terminal that shows a status line.
  static let leastHeight = 6

  /// Draws the line into a frame's last row. The tooltip of the focused view replaces the text,
  /// except for errors and while something waits for the user.
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

  /// As many of the hint's parts as fit beside the whole text, but always the first, for which the
  /// text is truncated. If a long text in a wide row has to be truncated anyway, all parts are
  /// shown.
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

  /// The mark distinguishes success from failure without colour.
  private var shown: String {
    switch kind {
    case .plain: text
    case .good: "✓ \(text)"
    case .bad: "✗ \(text)"
    case .waiting: "… \(text)"
    }
  }

  private var attributes: CellStyle.Attributes { kind == .bad ? .bold : [] }

  /// The text as a single line, truncated to a width.
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
