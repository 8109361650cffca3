import TideViews

/// What the focused view says of itself, over the left end of a frame's last row: as browsers show
/// where a link leads. While the text cursor is in that row, it is over the first row instead.
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
