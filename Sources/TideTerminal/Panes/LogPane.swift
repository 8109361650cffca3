import TideViews

/// Draws the log over the bottom third of a frame.
enum LogPane {
  private static let heading = CellStyle(attributes: .reverse)

  /// - Parameter hint: the keys shown in the heading in addition to F12.
  static func draw(_ lines: [String], hint: String? = nil, on frame: Frame) {
    let height = max(1, frame.height / 3)
    let top = frame.height - height
    let hasHeading = height > 2
    if hasHeading {
      let title = " Log (F12 closes it\(hint.map { ", \($0)" } ?? "")) "
      frame.write(title + spaces(frame.width), at: Point(x: 0, y: top), style: heading)
    }
    let rows = wrapped(lines, width: frame.width, limit: hasHeading ? height - 1 : height)
    var y = hasHeading ? top + 1 : top
    for row in rows + Array(repeating: "", count: frame.height - y - rows.count) {
      frame.write(row + spaces(frame.width), at: Point(x: 0, y: y))
      y += 1
    }
    if let caret = frame.caret, caret.y >= top { frame.caret = nil }
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// The last rows of the wrapped lines.
  private static func wrapped(_ lines: [String], width: Int, limit: Int) -> [String] {
    var rows: [String] = []
    for line in lines.suffix(limit).reversed() where rows.count < limit {
      rows.insert(contentsOf: broken(line, width: width), at: 0)
    }
    return rows.suffix(limit)
  }

  private static func broken(_ line: String, width: Int) -> [String] {
    var rows: [String] = []
    var row = ""
    var used = 0
    for character in line {
      let wide = max(CharacterWidth.of(character), character.isASCII ? 1 : 0)
      if used + wide > width && !row.isEmpty {
        rows.append(row)
        row = ""
        used = 0
      }
      row.append(character)
      used += wide
    }
    return rows + [row]
  }
}
