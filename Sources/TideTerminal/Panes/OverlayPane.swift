import TideViews

/// Draws lines in a box in the middle of a frame: help or an error. Long lines are wrapped between
/// words, except for a line of code with a caret below it, which is cut off.
enum OverlayPane {
  /// The size of the text that fits into the box.
  static func room(in size: Size) -> Size {
    Size(width: size.width - 4, height: size.height - 2)
  }

  /// - Parameter rect: what takes the keys, and stays in sight; nil for nothing.
  static func draw(_ lines: [String], on frame: Frame, beside rect: Rect? = nil) {
    let rows = rect.map { freeRows(beside: $0, height: frame.height) } ?? 0..<frame.height
    let lines = broken(lines, width: max(1, frame.width - 4))
    let inner = min(frame.width - 4, lines.map { CharacterWidth.of($0) }.max() ?? 0)
    let height = min(rows.count - 2, lines.count)
    if rect == nil { frame.caret = nil }
    guard inner > 0, height > 0 else {
      // Too small for a box, so only the text is drawn.
      for (y, line) in lines.prefix(frame.height).enumerated() {
        frame.write(line + spaces(frame.width), at: Point(x: 0, y: y))
      }
      return
    }
    let left = (frame.width - inner - 4) / 2
    var y = rows.lowerBound + (rows.count - height - 2) / 2
    let edge = String(repeating: "─", count: inner + 2)
    frame.write("┌\(edge)┐", at: Point(x: left, y: y))
    for line in shown(lines, height) {
      y += 1
      let end = left + inner + 4
      frame.write("│ " + spaces(inner) + " │", at: Point(x: left, y: y))
      let clip = Rect(x: left + 2, y: y, width: end - 2 - left - 2, height: 1)
      frame.write(line, at: clip.origin, clip: clip)
    }
    frame.write("└\(edge)┘", at: Point(x: left, y: y + 1))
  }

  /// The rows above or below a rect, but for the last one, which has the status line. Where neither
  /// has room for a box, it covers the beginning of the rect.
  private static func freeRows(beside rect: Rect, height: Int) -> Range<Int> {
    let above = 0..<max(0, min(rect.y, height))
    let below = max(0, min(rect.maxY, height - 1))..<max(0, height - 1)
    let rows = above.count > below.count ? above : below
    return rows.count < leastHeight ? 0..<min(leastHeight, height) : rows
  }

  /// A box with the place and the message of an error.
  private static let leastHeight = 4

  private static func broken(_ lines: [String], width: Int) -> [String] {
    lines.indices.flatMap { index -> [String] in
      let line = lines[index]
      let next = lines.indices.contains(index + 1) ? lines[index + 1].drop { $0 == " " } : ""
      if CharacterWidth.of(line) <= width || next == "^" || line.hasSuffix(" ^") { return [line] }
      let indent = spaces(min(line.prefix { $0 == " " }.count, width / 2))
      let hanging = indent + (indent.isEmpty ? "  " : "")
      let first = WordWrap.lines(line, width: width - hanging.count)
      return first.enumerated().map { ($0 == 0 ? indent : hanging) + $1 }
    }
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  private static func shown(_ lines: [String], _ height: Int) -> [String] {
    if lines.count <= height { return lines }
    return lines.prefix(height - 1) + ["… \(lines.count - height + 1) more lines"]
  }
}

/// Draws the tooltip of the focused view over the left end of the last row, like a browser's link
/// preview, or over the first row while the text cursor is in the last one.
enum HintPane {
  static func draw(_ hint: String, on frame: Frame) {
    let y = frame.caret?.y == frame.height - 1 ? 0 : frame.height - 1
    let text = StatusLine.cut(hint, to: frame.width - 2)
    let row = Rect(x: 0, y: y, width: CharacterWidth.of(text) + 2, height: 1)
    let style = CellStyle(attributes: .reverse)
    frame.fill(row, style: style)
    frame.write(text, at: Point(x: 1, y: y), style: style, clip: row)
  }
}
