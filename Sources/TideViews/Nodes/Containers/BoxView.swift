/// A column with a border around it and a title in the border.
public final class BoxView: View {
  /// The title, a space and a corner with a bit of line at each side.
  override var leastWidth: Int {
    let title = CharacterWidth.of(text(.title))
    return title == 0 ? 0 : title + 6
  }

  public override func draw(in canvas: Canvas) {
    let width = canvas.size.width
    let height = canvas.size.height
    if width < 2 || height < 2 { return }
    let border = canvas.symbols.border
    let plain = canvas.style.line
    for x in 1..<width - 1 {
      canvas.put(border[0], x: x, y: 0, style: plain)
      canvas.put(border[0], x: x, y: height - 1, style: plain)
    }
    for y in 1..<height - 1 {
      canvas.put(border[1], x: 0, y: y, style: plain)
      canvas.put(border[1], x: width - 1, y: y, style: plain)
    }
    canvas.put(border[2], x: 0, y: 0, style: plain)
    canvas.put(border[3], x: width - 1, y: 0, style: plain)
    canvas.put(border[4], x: width - 1, y: height - 1, style: plain)
    canvas.put(border[5], x: 0, y: height - 1, style: plain)
    let title = text(.title)
    if title.isEmpty || width < 6 { return }
    let shown = TextLines.truncated(title, width: width - 6, ellipsis: canvas.symbols.ellipsis)
    if shown.isEmpty { return }
    canvas.write(" \(shown) ", x: 2, y: 0, style: canvas.style.with(.bold))
  }
}
