extension Canvas {
  /// Draws a line around the whole view, with a title in the upper one that leaves some cells
  /// at its end.
  func drawBorder(title: String = "", reserved: Int = 0) {
    let width = size.width
    let height = size.height
    if width < 2 || height < 2 { return }
    let border = symbols.border
    let plain = style.line
    for x in shown(Rect(x: 1, y: 0, width: width - 2, height: height)).columns {
      put(border[0], x: x, y: 0, style: plain)
      put(border[0], x: x, y: height - 1, style: plain)
    }
    for y in shown(Rect(x: 0, y: 1, width: width, height: height - 2)).rows {
      put(border[1], x: 0, y: y, style: plain)
      put(border[1], x: width - 1, y: y, style: plain)
    }
    put(border[2], x: 0, y: 0, style: plain)
    put(border[3], x: width - 1, y: 0, style: plain)
    put(border[4], x: width - 1, y: height - 1, style: plain)
    put(border[5], x: 0, y: height - 1, style: plain)
    if title.isEmpty || width < 6 { return }
    let shown = TextLines.truncated(title, width: width - 6 - reserved, ellipsis: symbols.ellipsis)
    if shown.isEmpty { return }
    write(" \(shown) ", x: 2, y: 0, style: style.with(.bold))
  }
}
