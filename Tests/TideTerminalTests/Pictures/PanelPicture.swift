import TideViews
import VirtualTerminals

@testable import TideTerminal

/// Several framed panels in one picture.
struct PanelPicture {
  private let frame: Frame

  init(size: Size) { frame = Frame(size: size) }

  var svg: String { frame.svg() }

  /// Draws a frame with a title, and gives the position for what is in it.
  private func open(_ area: Rect, _ title: String) -> Point {
    let style = CellStyle(foreground: .ansi(8))
    let line = String(repeating: "─", count: area.width - 2)
    frame.write("╭\(line)╮", at: Point(x: area.x, y: area.y), style: style)
    for y in area.y + 1..<area.maxY - 1 {
      frame.write("│", at: Point(x: area.x, y: y), style: style)
      frame.write("│", at: Point(x: area.maxX - 1, y: y), style: style)
    }
    frame.write("╰\(line)╯", at: Point(x: area.x, y: area.maxY - 1), style: style)
    frame.write(
      " \(title) ", at: Point(x: area.x + 2, y: area.y),
      style: CellStyle(foreground: .ansi(14), attributes: .bold))
    return Point(x: area.x + 2, y: area.y + 1)
  }

  /// Draws rows of a terminal's screen.
  func draw(_ rows: [[VirtualTerminal.VirtualCell]], in area: Rect, _ title: String) {
    let start = open(area, title)
    for (y, row) in rows.prefix(area.height - 2).enumerated() {
      for (x, position) in row.enumerated() where !position.text.isEmpty {
        frame.write(position.text, at: Point(x: start.x + x, y: start.y + y), style: position.style)
      }
    }
  }

  /// Draws a script as an editor that shows what has changed since the last save.
  func draw(_ text: String, before: String, in area: Rect, _ title: String) {
    let start = open(area, title)
    let old = before.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var y = start.y
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let isNew = old.indices.contains(number) && old[number] != line
      if isNew {
        mark("-", old[number], at: Point(x: start.x, y: y), Self.removed, area)
        y += 1
        mark("+", String(line), at: Point(x: start.x, y: y), Self.added, area)
      } else {
        draw(code: String(line), at: Point(x: start.x + 2, y: y))
      }
      y += 1
    }
  }

  private static let removed = CellStyle(
    foreground: .ansi(9), background: .rgb(red: 58, green: 36, blue: 44))
  private static let added = CellStyle(
    foreground: .ansi(10), background: .rgb(red: 34, green: 56, blue: 44))

  private func mark(
    _ sign: String, _ line: String, at position: Point, _ style: CellStyle, _ area: Rect
  ) {
    frame.fill(
      Rect(x: position.x - 1, y: position.y, width: area.width - 2, height: 1), style: style)
    frame.write(sign, at: position, style: style)
    frame.write(line, at: Point(x: position.x + 2, y: position.y), style: style)
  }

  /// Words of the language, texts and remarks in colours of their own.
  private func draw(code: String, at position: Point) {
    var x = position.x
    for part in code.matches(of: /--.*|"[^"]*"|\w+|./) {
      let text = String(part.output)
      var style = CellStyle.plain
      if text.hasPrefix("--") { style = CellStyle(foreground: .ansi(8)) }
      if text.hasPrefix("\"") { style = CellStyle(foreground: .ansi(2)) }
      if ["local", "function", "return", "end"].contains(text) {
        style = CellStyle(foreground: .ansi(5))
      }
      x = frame.write(text, at: Point(x: x, y: position.y), style: style)
    }
  }
}
